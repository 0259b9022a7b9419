import { readTrusted } from '../../src/engine/cohortEngine';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import { reportMessage, serve } from '../../src/engineHost/serve';
import { askError, statusError } from '../support/askErrors';

jest.mock('@project/queries', () => ({ bundle: { v: 1, id: 'w', seed: 0, queries: [] } }), { virtual: true });

// Workers have a navigator; this one is of a browser without locks.
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });

const portMock = () => {
  const listeners = new Set<(event: MessageEvent) => void>();
  return {
    addEventListener: (_: 'message', listener: (event: MessageEvent) => void) => void listeners.add(listener),
    removeEventListener: (_: 'message', listener: (event: MessageEvent) => void) => void listeners.delete(listener),
    postMessage: jest.fn(),
    hear: (data: unknown) => listeners.forEach((listener) => listener({ data } as MessageEvent)),
    isHeard: () => listeners.size > 0,
  };
};

describe('the served engine', () => {
  it.each([
    [undefined, '', null],
    ['thrown', '', null],
    [new Error('Network request failed'), 'Network request failed', null],
    [askError('failed', 'words'), 'words', 'failed'],
    [askError('timeout', 'words'), 'words', 'timeout'],
    [statusError(500), 'Failed ajax request. Status code was 500. No', 'status'],
  ])('reports the words and the kind of an error: %s', (cause, words, kind) => {
    expect(reportMessage('m', cause)).toEqual({ type: 'report', message: 'm', cause: words, kind });
  });

  it('reports what is no message, and goes on with the next one', () => {
    const port = portMock();
    const stop = serve(port, partsAtHand, readTrusted);
    port.hear([null, { type: 'flush' }, 'text', { kind: 'start' }]);
    const report = { type: 'report', message: 'Invalid message from the page', cause: '', kind: null };
    expect(port.postMessage.mock.calls).toEqual([[report], [report], [report]]);
    expect(port.isHeard()).toBe(true);
    stop();
    expect(port.isHeard()).toBe(false);
  });

  it('stops where the visit has ended', () => {
    const port = portMock();
    serve(port, partsAtHand, readTrusted);
    port.hear([{ type: 'end' }]);
    expect(port.isHeard()).toBe(false);
  });
});
