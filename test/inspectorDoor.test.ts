import { EMPTY } from 'rxjs';

import type { VisitStreams } from '../src/api/observer';
import { inVirtualTime } from '../src/fakePlatform/virtualClock';
import type { InspectedPage } from '../src/inspector/inspectedPage';
import type { Inspector } from '../src/inspector/inspector';
import { inspectorDoor } from '../src/inspectorDoor';
import { fileOf } from './support/fileOf';
import { type WorldFacts, worldOf } from './support/world';

const doorOf = (load: () => Promise<void>, facts: WorldFacts = {}, isGiven = true) => {
  const world = worldOf(facts);
  const other = worldOf();
  const tag: Record<string, unknown> = {};
  const tools = {
    inspect: jest.fn(),
    record: jest.fn(),
    recording: jest.fn(() => 'log'),
    doctor: jest.fn(() => Promise.resolve([])),
    watch: jest.fn(() => other),
  } satisfies Inspector;
  const inspector = jest.fn<Inspector, [InspectedPage]>(() => tools);
  const loadInspector = () => load().then(() => ({ inspector }));
  const door = inspectorDoor({ tag, world, isGiven, measured$: EMPTY, fileOf, loadInspector });
  const call = (name: string): unknown => (tag[name] as () => unknown)();
  return { world, other, door, call, inspector, tools, tag };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the door to the inspector', () => {
  it('loads the chunk for the method that is called, and not before', async () => {
    const load = jest.fn(() => Promise.resolve());
    const { call, tools } = doorOf(load);
    expect(load).not.toHaveBeenCalled();
    expect(await call('recording')).toBe('log');
    expect(load).toHaveBeenCalledTimes(1);
    expect(tools.inspect).not.toHaveBeenCalled();
  });

  it('reports a chunk that does not load, and asks for it again', async () => {
    const load = jest.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('gone'));
    const { call, world } = doorOf(load);
    expect(await call('inspect')).toBeUndefined();
    expect(world.report.mock.calls).toEqual([['Inspector failed', new Error('gone')]]);
    expect(await call('recording')).toBe('log');
  });

  it('opens for Alt, Shift and P, with consent or without', async () => {
    const { door, world, tools } = doorOf(() => Promise.resolve());
    for (const consent of ['given', 'unasked', 'refused', 'withdrawn'] as const) {
      const listening = door.whileConsent(consent).subscribe();
      for (const event of [
        { altKey: true, shiftKey: true, code: 'KeyP' },
        { altKey: true, shiftKey: false, code: 'KeyP' },
        { altKey: true, shiftKey: true, code: 'KeyO' },
      ])
        world.fire('window', 'keydown', event);
      listening.unsubscribe();
    }
    await settled();
    expect(tools.inspect).toHaveBeenCalledTimes(4);
  });

  it('gives the page’s own world at once', () => {
    const { door, world } = doorOf(() => Promise.reject(new Error('not asked')));
    const seen: unknown[] = [];
    door.world$.subscribe((given) => seen.push(given));
    expect(seen).toEqual([world]);
  });

  it('gives the watched world where the setting says so, and none where it fails', async () => {
    const config = { inspector: true };
    const [right, wrong] = [
      doorOf(() => Promise.resolve(), { config }),
      doorOf(() => Promise.reject(new Error('gone')), { config }),
    ];
    const [watched, failed]: [unknown[], unknown[]] = [[], []];
    right.door.world$.subscribe((given) => watched.push(given));
    wrong.door.world$.subscribe((given) => failed.push(given));
    await settled();
    expect(watched).toEqual([right.other]);
    expect(failed).toEqual([undefined]);
  });

  it('loads nothing before consent, and opens late once a visit has begun', async () => {
    const load = jest.fn(() => Promise.resolve());
    const { door, world, tools } = doorOf(load, { config: { inspector: true } }, false);
    const seen: unknown[] = [];
    door.world$.subscribe((given) => seen.push(given));
    door.whileConsent('unasked').subscribe();
    await settled();
    expect(seen).toEqual([world]);
    expect(load).not.toHaveBeenCalled();
    door.whileVisit({} as VisitStreams).subscribe();
    await settled();
    expect(tools.inspect).toHaveBeenCalledTimes(1);
    expect(tools.watch).not.toHaveBeenCalled();
  });

  it('tells the inspector whether the visit runs without it', async () => {
    const isRunning = ({ inspector }: ReturnType<typeof doorOf>) => inspector.mock.lastCall?.[0].isRunning();
    const plain = doorOf(() => Promise.resolve());
    await plain.call('record');
    expect(isRunning(plain)).toBe(true);
    const config = { inspector: true };
    const watched = doorOf(() => Promise.resolve(), { config });
    watched.door.world$.subscribe();
    await settled();
    expect(isRunning(watched)).toBe(false);
    // One that loads after the visit has begun.
    const loads: (() => void)[] = [];
    const late = doorOf(() => new Promise((resolve) => loads.push(resolve)), { config });
    inVirtualTime(() => void late.door.world$.subscribe());
    for (const load of loads) load();
    await settled();
    expect(isRunning(late)).toBe(true);
  });
});
