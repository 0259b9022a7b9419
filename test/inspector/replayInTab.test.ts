import { EMPTY, of } from 'rxjs';

import { replayInTab } from '../../src/inspector/replay/replayInTab';
import type { World } from '../../src/visit/world';
import { worldOf } from '../support/world';
import { recordedProject, recordVisit } from './support/recordedVisit';

const { project, experiment, addons, parts, engine } = recordedProject;
const loadEngine = () => Promise.resolve(engine);

/** A world that has only what a replay may use: anything else of it throws. */
const world: Pick<World, 'project' | 'experiment' | 'addons' | 'deferredParts$' | 'json' | 'yieldThread'> = new Proxy(
  {
    project,
    experiment,
    addons,
    deferredParts$: of(parts),
    json: worldOf().json,
    yieldThread: () => of(undefined),
  },
  {
    get: (target, name) => {
      if (name in target) return target[name as keyof typeof target];
      throw new Error(`A replay has used ${String(name)}`);
    },
  },
);

const recorded = recordVisit({
  engineMs: 3.125,
  answers: [{ kind: 'taken', ms: 20.25 }],
  acts: [
    { at: 200, act: ({ track }) => track('Click', { properties: { a: 1 } }) },
    { at: 1200, act: ({ track }) => track('Other') },
    { at: 2200, act: ({ track }) => track('Last') },
  ],
}).text();
const changedHeader = (changes: object): string => {
  const [header = '', ...lines] = recorded.split('\n');
  return [JSON.stringify({ ...(JSON.parse(header) as object), ...changes }), ...lines].join('\n');
};

describe('replayInTab', () => {
  it('gives the transitions and uploads of the log, on the code of the page alone', async () => {
    const result = await replayInTab(recorded, { world, loadEngine });
    expect(result).toMatchObject({ type: 'replayed', differences: [] });
    const { outcomes } = result as Extract<typeof result, { type: 'replayed' }>;
    expect(outcomes.map(({ type }) => type)).toEqual(expect.arrayContaining(['entry', 'Click', 'Other', 'Last']));
  });

  it('names the first difference first', async () => {
    // The requests say that other events were uploaded.
    const changed = recorded
      .split('\n')
      .map((line) => (line.includes('"request"') ? line.replace('Last', 'Best').replace('Other', 'Another') : line));
    const result = await replayInTab(changed.join('\n'), { world, loadEngine });
    const { differences } = result as Extract<typeof result, { type: 'replayed' }>;
    expect(differences.map((text) => /^only in the (log|replay): .*?"type":"(\w+)"/.exec(text)?.slice(1))).toEqual([
      ['log', 'Another'],
      ['replay', 'Other'],
      ['log', 'Best'],
      ['replay', 'Last'],
    ]);
  });

  it.each([
    ['no log', 'text', 'Line 1 of the log: (root): expected JSON'],
    ['another project’s log', changedHeader({ project: 'other' }), 'The log is of project other'],
    ['a log that began late', changedHeader({ complete: false }), 'The log began when the page was running already'],
    ['a log that has lost its start', changedHeader({ dropped: 7 }), 'has lost its first 7 lines'],
  ])('refuses %s, with the reason', async (_, text, reason) => {
    expect(await replayInTab(text, { world, loadEngine })).toEqual({
      type: 'refused',
      reason: expect.stringContaining(reason) as string,
    });
  });

  it('refuses where a part of the SDK does not load', async () => {
    const gone = () => Promise.reject(new Error('gone'));
    expect(await replayInTab(recorded, { world, loadEngine: gone })).toEqual({ type: 'refused', reason: 'gone' });
    const { json, yieldThread } = world;
    const without = { project, experiment, addons, json, yieldThread, deferredParts$: EMPTY };
    expect(await replayInTab(recorded, { world: without, loadEngine })).toMatchObject({ type: 'refused' });
  });
});
