/** Nobody hears of these events any more, however they listen. */
const deaf = (prototype: string, ...events: readonly string[]): string => `
Object.defineProperties(${prototype}, {
  addEventListener: { value() {} },
  ${events.map((event) => `on${event}: { set() {} }`).join(', ')}
});`;

/** Scripts after which the database hangs, as WebKit's does after some navigations and suspensions. */
export const hangingDatabase = {
  /** It never opens. */
  atOpen: deaf('IDBOpenDBRequest.prototype', 'success', 'error', 'upgradeneeded', 'blocked'),
  /** It opens, and answers no request. */
  afterwards: `{
const { onsuccess, onerror } = Object.getOwnPropertyDescriptors(IDBRequest.prototype);
const { addEventListener } = EventTarget.prototype;
Object.defineProperties(IDBOpenDBRequest.prototype, { onsuccess, onerror, addEventListener: { value: addEventListener } });
${deaf('IDBRequest.prototype', 'success', 'error')}
${deaf('IDBTransaction.prototype', 'complete', 'error', 'abort')}
}`,
};
