import { listenersOf } from '../../src/api/listeners';
import { noonText } from '../support/events';
import { reportMock } from '../support/reports';

const event = (name: string) => ({ name, time: noonText });
const world = () => {
  const report = reportMock();
  const listeners = listenersOf(report);
  const heard: string[] = [];
  const tell = ({ name }: { readonly name: string }): void => void heard.push(name);
  const happen = (...names: readonly string[]): void => names.forEach((name) => listeners.event(event(name)));
  return { report, listeners, heard, tell, happen };
};

describe('on', () => {
  it('hears events of its name', () => {
    const { listeners, heard, tell, happen } = world();
    listeners.on('Pageview', tell, false);
    happen('Pageview', 'PageviewComplete', 'pageview', 'Pageview');
    expect(heard).toEqual(['Pageview', 'Pageview']);
  });

  it.each([
    [/^Slot/, ['SlotViewable', 'SlotClicked']],
    [/slot/i, ['SlotViewable', 'SlotClicked']],
    [/./g, ['SlotViewable', 'Pageview', 'SlotClicked']],
    [/Slot/y, ['SlotViewable', 'SlotClicked']],
    [/Nothing/, []],
  ])('hears events that match %p, each time', (pattern, expected) => {
    const { listeners, heard, tell, happen } = world();
    listeners.on(pattern, tell, false);
    happen('SlotViewable', 'Pageview', 'SlotClicked');
    expect(heard).toEqual(expected);
  });

  it.each([undefined, null, 7, {}, ['Pageview']])('reports a name that is none, and hears nothing: %p', (name) => {
    const { listeners, report, heard, tell, happen } = world();
    listeners.on(name, tell, false).replay();
    happen('Pageview');
    expect(heard).toEqual([]);
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Function permutive.on caused an error']);
  });

  it('hears what happens from now on, and earlier events when asked', () => {
    const { listeners, heard, tell, happen } = world();
    happen('A', 'B', 'A');
    const handle = listeners.on('A', tell, false);
    expect(heard).toEqual([]);
    expect(handle.replay()).toBe(handle);
    expect(heard).toEqual(['A', 'A']);
    happen('A');
    expect(heard).toHaveLength(3);
  });

  it('hears nothing any more once it is removed, though removed twice', () => {
    const { listeners, heard, tell, happen } = world();
    const handle = listeners.on('A', tell, false);
    happen('A');
    expect(handle.remove()).toBe(handle);
    handle.remove();
    happen('A');
    handle.replay();
    expect(heard).toEqual(['A']);
  });

  it('lets listeners add and remove listeners', () => {
    const { listeners, heard, tell, happen } = world();
    const second = listeners.on('A', tell, false);
    listeners.on(
      'A',
      () => {
        second.remove();
        listeners.on('A', ({ name }) => heard.push(`${name} later`), false);
      },
      true,
    );
    happen('A');
    expect(heard).toEqual(['A']);
    happen('A');
    expect(heard).toEqual(['A', 'A later']);
  });

  it('keeps the last 1000 events for replay', () => {
    const { listeners, heard, tell, happen } = world();
    for (let i = 1; i <= 1001; i += 1) happen(`E${i}`);
    listeners.on(/./, tell, false).replay();
    expect([heard.length, heard[0], heard.at(-1)]).toEqual([1000, 'E2', 'E1001']);
  });

  it('has nothing to replay after it was told to forget', () => {
    const { listeners, heard, tell, happen } = world();
    happen('A');
    listeners.forget();
    listeners.on('A', tell, false).replay();
    happen('A');
    expect(heard).toEqual(['A']);
  });
});

describe('once', () => {
  it('hears one event', () => {
    const { listeners, heard, tell, happen } = world();
    listeners.on('A', tell, true);
    happen('B', 'A', 'A');
    expect(heard).toEqual(['A']);
  });

  it('hears one event in all, replayed or not', () => {
    const { listeners, heard, tell, happen } = world();
    happen('A', 'A');
    listeners.on('A', tell, true).replay();
    happen('A');
    expect(heard).toEqual(['A']);
  });

  it('hears one event, though it causes another', () => {
    const { listeners, heard, happen } = world();
    listeners.on(
      'A',
      ({ name }) => {
        heard.push(name);
        happen('A');
      },
      true,
    );
    happen('A');
    expect(heard).toEqual(['A']);
  });
});

describe('onMembership', () => {
  it('hears what becomes of its cohort, until it is removed', () => {
    const { listeners } = world();
    const heard: unknown[] = [];
    const handle = listeners.onMembership(
      (use) => use('7'),
      (result) => heard.push(result),
    );
    for (const [id, result] of [
      ['7', true],
      ['8', true],
      ['7', false],
    ] as const)
      listeners.membership(id, result);
    handle.remove();
    handle.remove();
    listeners.membership('7', true);
    expect(heard).toEqual([{ result: true }, { result: false }]);
  });

  it('hears what has become of its cohort before it knew which', () => {
    const { listeners } = world();
    const heard: unknown[] = [];
    let use: (id: string) => void = () => undefined;
    const find = (then: typeof use): void => void (use = then);
    listeners.onMembership(find, (result) => heard.push(result));
    listeners.membership('8', true);
    listeners.membership('7', true);
    expect(heard).toEqual([]);
    use('7');
    listeners.membership('7', false);
    expect(heard).toEqual([{ result: true }, { result: false }]);
  });
});
