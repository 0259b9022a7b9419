import nock from 'nock';

/** The time that a request has, in ms, where the server hangs. */
export const hangMs = 200;

/** A server's answer: a status and a body, or none within the time that requests have. */
export type Answer = readonly [status: number, body: unknown] | 'hangs';
/** An answer that is of no use: what it is, and the words in which it is reported. */
export type Failure = readonly [words: string, answer: Answer, cause: RegExp];

/** Failures that every call has in common. */
export const failures: readonly Failure[] = [
  ['is a status of 404', [404, 'no such call'], /Status code was 404/],
  ['is a status of 429', [429, ''], /Status code was 429/],
  ['is a status of 500', [500, 'broken'], /Status code was 500/],
  ['is no JSON', [200, '<html>'], /Failed to parse response as JSON/],
  ['is empty', [200, ''], /expected/],
  ['is a list', [200, []], /expected/],
  ['does not come', 'hangs', /timed? ?out/i],
];

/** Bodies that do not decode. */
export const malformed = (...bodies: readonly unknown[]): readonly Failure[] =>
  bodies.map((body) => [`is ${JSON.stringify(body)}`, [200, body], /expected/]);

export const replyTo = (request: nock.Interceptor, answer: Answer): void => {
  if (answer === 'hangs') request.delay(hangMs * 20).reply(200, {});
  else request.reply(answer[0], answer[1] as nock.Body);
};

/** Settings under which a hanging server is given up soon. */
export const settingsFor = (answer: Answer): { readonly requestTimeout?: number } =>
  answer === 'hangs' ? { requestTimeout: hangMs } : {};

/** Lets the tests of a file reach no server but those that they make up. */
export const withoutNetwork = (): void => {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
};
