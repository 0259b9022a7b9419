import { readTrusted } from '../../src/engine/cohortEngine';
import { serve } from '../../src/engineHost/serve';

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
  it('reports what is no message, and goes on with the next one', () => {
    const port = portMock();
    const stop = serve(port, () => new Promise(() => undefined), readTrusted);
    port.hear([null, { type: 'flush' }, 'text', { kind: 'start' }]);
    const report = { type: 'report', message: 'Invalid message from the page', cause: '' };
    expect(port.postMessage.mock.calls).toEqual([[report], [report], [report]]);
    expect(port.isHeard()).toBe(true);
    stop();
    expect(port.isHeard()).toBe(false);
  });
});
