import { defer, EMPTY, map, merge, mergeMap, of, Subject } from 'rxjs';

import { addonDeps, addonStreams } from '../../marbles/support/addonWorld';
import type { Addon, AddonDeps, AnyAddon } from '../../src/addons/addon';
import type { Transition } from '../../src/model/engineCommands';
import { startDeferredAddons } from '../../src/visit/runAddons';
import type { DeferredParts } from '../../src/visit/world';
import { lateParts } from '../support/project';
import { linesOf } from '../support/reports';
import { worldOf } from '../support/world';

const entry = (id: string): Transition => ({ id, entry: true, time: 0 });

/** Says what it hears. */
const listening = (name: string, autoInit: boolean): Addon<unknown> => ({
  name,
  autoInit,
  options: (input) => input,
  run: ({ transition$ }, options$, { activations, configured }) =>
    options$.pipe(
      mergeMap((options) =>
        merge(
          of({
            name: 'Started',
            properties: { addon: name, options, configured, activations: activations.map(({ id }) => id) },
          }),
          transition$.pipe(map(({ id }) => ({ name: `${name} ${id}` }))),
        ),
      ),
    ),
});

const start = (load: () => Promise<Partial<DeferredParts>>) => {
  const transition$ = new Subject<Transition>();
  const heard: string[] = [];
  const world = worldOf({
    deferredParts$: defer(load).pipe(map(lateParts)),
  });
  const common: AddonDeps = addonDeps();
  const running = startDeferredAddons(world, addonStreams({ transition$ }), common).subscribe(({ name, properties }) =>
    heard.push(properties ? JSON.stringify(properties) : name),
  );
  return { ...world, transition$, heard, stop: () => running.unsubscribe() };
};

const chunk = (...addons: readonly AnyAddon[]) => ({
  addons,
  activations: { calm: [{ id: 'a', short_id: 'a', sc: 7, tt: 'OnEntry' as const }] },
  addonOptions: { calm: { dpid: '4' } },
});
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('startLateAddons', () => {
  it('starts what starts by itself, and what the page has started meanwhile, each with what the project says of it', async () => {
    const { calls, heard } = start(() => Promise.resolve(chunk(listening('calm', false), listening('eager', true))));
    calls.startAddon('calm', { a: 1 });
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual([
      '{"addon":"calm","options":{"dpid":"4","a":1},"configured":{"dpid":"4"},"activations":["a"]}',
      '{"addon":"eager","options":{},"configured":{},"activations":[]}',
    ]);
  });

  it('leaves out an option that throws, and reports it', async () => {
    const { calls, heard, report } = start(() => Promise.resolve(chunk(listening('calm', false))));
    const throwing = {
      a: 1,
      get b() {
        throw new Error('of the page');
      },
      dpid: '5',
    };
    calls.startAddon('calm', throwing);
    await settle();
    expect(heard).toEqual([expect.stringContaining('"options":{"dpid":"5","a":1}')]);
    expect(linesOf(report)).toEqual(['Addon calm has invalid options: of the page']);
  });

  it('reads the first hundred options', async () => {
    const { calls, heard } = start(() => Promise.resolve(chunk(listening('calm', false))));
    let reads = 0;
    const many = new Proxy(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`option${i}`, i])), {
      get: (target, name) => ((reads += 1), Reflect.get(target, name) as unknown),
    });
    calls.startAddon('calm', many);
    await settle();
    expect(reads).toBe(100);
    expect(heard).toEqual([expect.stringContaining('"option99":99}')]);
  });

  it('has an instance of what starts by itself, and of what the page has started', async () => {
    const { calls } = start(() =>
      Promise.resolve(chunk(listening('calm', false), listening('eager', true), listening('called', false))),
    );
    calls.startAddon('called', {});
    await settle();
    expect(Object.keys(calls.instances).sort()).toEqual(['called', 'eager']);
  });

  it('tells of transitions that were published before, in order, and then of each as it comes', async () => {
    let arrive: (loaded: ReturnType<typeof chunk>) => void = () => undefined;
    const { transition$, heard } = start(() => new Promise((resolve) => (arrive = resolve)));
    transition$.next(entry('1'));
    transition$.next(entry('2'));
    arrive(chunk(listening('eager', true), listening('other', true)));
    await settle();
    transition$.next(entry('3'));
    expect(heard.filter((name) => !name.startsWith('{'))).toEqual([
      'eager 1',
      'other 1',
      'eager 2',
      'other 2',
      'eager 3',
      'other 3',
    ]);
  });

  it('tells an addon that is started again nothing twice', async () => {
    const { transition$, calls, heard } = start(() => Promise.resolve(chunk(listening('eager', true))));
    transition$.next(entry('1'));
    await settle();
    calls.startAddon('eager', {});
    expect(heard.filter((name) => name === 'eager 1')).toHaveLength(1);
  });

  it('goes without them where the chunk does not come, and stops with the visit', async () => {
    const transition$ = new Subject<Transition>();
    startDeferredAddons(worldOf({ deferredParts$: EMPTY }), addonStreams({ transition$ }), addonDeps()).subscribe();
    expect(() => transition$.next(entry('1'))).not.toThrow();
    const stopped = start(() => Promise.resolve(chunk(listening('eager', true))));
    stopped.stop();
    await settle();
    expect([stopped.heard, stopped.transition$.observed]).toEqual([[], false]);
  });

  it('keeps one addon’s failure from the others', async () => {
    const broken: AnyAddon = {
      ...listening('broken', true),
      run: () => {
        throw new Error('broken');
      },
    };
    const { heard, report } = start(() => Promise.resolve(chunk(broken, listening('eager', true))));
    await settle();
    expect([heard.length, report.mock.calls.map(([message]) => message)]).toEqual([1, ['Addon broken stopped']]);
  });
});
