/** @jest-environment jsdom */
import { whenAnswered } from '../../src/gate/whenAnswered';
import { inspectorMethods, isInspectorKey } from '../../src/inspectorDoor';

const inspector = { methods: inspectorMethods, isKey: isInspectorKey };
type Method = (...args: readonly unknown[]) => unknown;

/** A shut gate on a page with this tag. `answer`: what the page or the visitor does then is an answer. */
const shut = (
  tag: Record<string, unknown> = { q: [] },
  [window, document, cookieStore] = [new EventTarget(), new EventTarget(), new EventTarget()],
) => {
  let isAnswered = false;
  const open = jest.fn();
  const inspections = whenAnswered({
    tag,
    targets: { window, document, cookieStore },
    inspector,
    mayHaveAnswered: () => isAnswered,
    open,
  });
  const call = (name: string, ...args: readonly unknown[]): unknown => (tag[name] as Method)(...args);
  return { tag, window, document, cookieStore, open, inspections, call, answer: () => (isAnswered = true) };
};
const storageEvent = (key: string | null): Event => Object.assign(new Event('storage'), { key });
const pageShow = (persisted: boolean): Event => Object.assign(new Event('pageshow'), { persisted });
const keyEvent = (given: Partial<KeyboardEvent>): Event => Object.assign(new Event('keydown'), given);

describe('A gate that is shut', () => {
  it.each<[string, (gate: ReturnType<typeof shut>) => void]>([
    ['a call of the page', ({ call }) => call('consent', { opt_in: true })],
    ['a stub that the page has kept', ({ tag }) => (tag['q'] as unknown[]).push({ functionName: 'consent' })],
    ['another call, before which a setting has changed', ({ tag }) => (tag['q'] as unknown[]).push({})],
    ['another tab', ({ window }) => window.dispatchEvent(storageEvent('permutive-consent'))],
    ['another tab that has cleared everything', ({ window }) => window.dispatchEvent(storageEvent(null))],
    ['a return from the back-forward cache', ({ window }) => window.dispatchEvent(pageShow(true))],
    ['a return to the tab', ({ document }) => document.dispatchEvent(new Event('visibilitychange'))],
    ['a cookie of another host', ({ cookieStore }) => cookieStore.dispatchEvent(new Event('change'))],
  ])('opens once where there is an answer, by %s', (_, act) => {
    const gate = shut();
    act(gate);
    expect(gate.open).not.toHaveBeenCalled();
    gate.answer();
    act(gate);
    act(gate);
    expect(gate.open).toHaveBeenCalledTimes(1);
  });

  it('does not look where another key of local storage has changed, or where the page is shown first', () => {
    const { window, open, answer } = shut();
    answer();
    window.dispatchEvent(pageShow(false));
    window.dispatchEvent(storageEvent('permutive-app'));
    expect(open).not.toHaveBeenCalled();
  });

  it('leaves all calls in the queue, in their order, and answers as the queue does', () => {
    const { tag, call } = shut({ q: ['first'] });
    expect((tag['q'] as unknown[]).push('second', 'third')).toBe(3);
    call('consent', { opt_in: true }, 'more');
    expect([...(tag['q'] as unknown[])]).toEqual([
      'first',
      'second',
      'third',
      { functionName: 'consent', arguments: [{ opt_in: true }, 'more'] },
    ]);
  });

  it('gives a tag without a queue one', () => {
    const { tag, call, answer, open } = shut({});
    answer();
    call('consent', { opt_in: false });
    expect([...(tag['q'] as unknown[])]).toEqual([{ functionName: 'consent', arguments: [{ opt_in: false }] }]);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('hears nothing any more once it has opened', () => {
    const [window, document, cookieStore] = [new EventTarget(), new EventTarget(), new EventTarget()];
    const added = [window, document, cookieStore].map((target) => jest.spyOn(target, 'addEventListener'));
    const { call, answer } = shut({ q: [] }, [window, document, cookieStore]);
    const heard = () =>
      added.map(({ mock }) =>
        mock.calls.map(([type, , options]) => [type, (options as AddEventListenerOptions).signal?.aborted]),
      );
    const listeners = (isRemoved: boolean) => [
      ['storage', 'pageshow', 'keydown'].map((type) => [type, isRemoved]),
      [['visibilitychange', isRemoved]],
      [['change', isRemoved]],
    ];
    expect(heard()).toEqual(listeners(false));
    answer();
    call('consent', { opt_in: true });
    expect(heard()).toEqual(listeners(true));
  });

  it('opens for whoever asks for the inspector, and makes the call where there is one', async () => {
    const { tag, call, open, inspections } = shut();
    const answers = ['inspect', 'record', 'recording', 'doctor'].map((name) => call(name));
    expect(open).toHaveBeenCalledTimes(1);
    for (const name of ['inspect', 'record', 'recording', 'doctor'])
      tag[name] = () => Promise.resolve(`${name} is done`);
    for (const inspect of inspections) inspect();
    expect(await Promise.all(answers)).toEqual([
      'inspect is done',
      'record is done',
      'recording is done',
      'doctor is done',
    ]);
  });

  it.each([
    ['Alt, Shift and P', { altKey: true, shiftKey: true, code: 'KeyP' }, 1],
    ['another key', { altKey: true, shiftKey: true, code: 'KeyO' }, 0],
    ['no Alt', { altKey: false, shiftKey: true, code: 'KeyP' }, 0],
    ['no Shift', { altKey: true, shiftKey: false, code: 'KeyP' }, 0],
  ])('opens for the inspector by %s', (_, keys, times) => {
    const { window, open, inspections } = shut();
    window.dispatchEvent(keyEvent(keys));
    expect([open.mock.calls.length, inspections.length]).toEqual([times, times]);
  });

  it('works where the browser tells of no cookies', () => {
    const tag: Record<string, unknown> = { q: [] };
    const [window, document] = [new EventTarget(), new EventTarget()];
    const open = jest.fn();
    whenAnswered({
      tag,
      targets: { window, document, cookieStore: undefined },
      inspector,
      mayHaveAnswered: () => true,
      open,
    });
    (tag['consent'] as Method)({ opt_in: true });
    expect(open).toHaveBeenCalledTimes(1);
  });
});
