import type { Unclobbered } from '../model/unclobbered';

/** The types of events that the overlay's components have handlers for. */
const heard: ReadonlySet<string> = new Set(['click', 'keydown', 'submit']);

/**
 * A new element that React can draw into, on a page whose HTML hides members of the document and of forms. React takes
 * the document from the element. It gets one that
 *
 * - makes elements past those that hide its members,
 * - has no focused element. React would read that one's name to restore its focus, which the overlay never takes by
 *   drawing;
 * - tells it nothing of selections, whose target is the page's own document.
 *
 * The element tells React of events only that the overlay has handlers for. Others, such as a pointer that comes from
 * the page, name elements of the page, and React climbs from them by `parentNode`, which never ends where an element
 * with that name hides it.
 */
export const reactPlace = (document: Unclobbered<Document>): HTMLElement => {
  const place = document.createElement('div');
  const own: ReadonlyMap<PropertyKey, unknown> = new Map<PropertyKey, unknown>([
    ['addEventListener', () => undefined],
    ['defaultView', { document: { activeElement: null, body: null }, HTMLIFrameElement }],
  ]);
  const ownerDocument = new Proxy(document, {
    get: (from, key) => (own.has(key) ? own.get(key) : (Reflect.get(from, key) as unknown)),
  });
  const addEventListener: HTMLElement['addEventListener'] = (type: string, ...rest: [never, never?]) => {
    if (heard.has(type)) HTMLElement.prototype.addEventListener.call(place, type, ...rest);
  };
  return Object.defineProperties(place, {
    ownerDocument: { value: ownerDocument },
    addEventListener: { value: addEventListener },
  });
};
