import { modelsOf } from '../../demo/api/models';
import { project } from '../../demo/project/project';
import { ruleNames } from '../../demo/project/rules';
import { encodeModels } from '../../project/encodeModels';
import { withRead } from '../../project/withRead';
import { liftEvents } from '../../src/endpoints/liftEvents';
import { liftQueries } from '../../src/endpoints/liftQueries';
import type { Definition } from '../../src/engine/language/language';
import { decodeModels } from '../../src/engine/models/lookalike';
import { expandTable } from '../../src/engine/rules/expandRules';
import { client } from './api/support/client';
import { NoWay, planFor } from './support/visitorPlan';
import { dictionary, play, type Played } from './support/visitorRun';

const shipped: readonly Definition[] = [...project.queries, ...expandTable(project.rules).definitions];
const definitions = [...shipped, ...project.lifted];
const plainModels = modelsOf({ ...project, queries: shipped });
const models = decodeModels(encodeModels(plainModels, { version: 2, precision: 12 }));
if (models instanceof Error) throw models;
const byId = new Map(definitions.map((definition) => [definition.id, definition]));
const words = [
  ...dictionary,
  'fintech',
  'real estate',
  'remote work',
  'digital banking',
  'open banking',
  'embedded finance',
  'payments',
];

/** Numbers from 0 to 1, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
};

type IsMember = (played: Played, id: string) => boolean | Promise<boolean>;

/** The definitions that a cohort reads. A model may read the cohorts of all. */
const neededFor = (id: string): readonly Definition[] => {
  const own = shipped.find((definition) => definition.id === id);
  const read = own === undefined ? shipped : withRead(own, shipped);
  return JSON.stringify(read).includes('"lookalike"') ? shipped : read;
};

/** Why none of so many generated visitors got into the cohort; null where one of them did. */
const failureOf = async (id: string, isMember: IsMember, tries = 40): Promise<string | null> => {
  const reasons = new Set<string>();
  const read = neededFor(id);
  for (let seed = 1; seed <= tries; seed++) {
    try {
      const plan = planFor(id, {
        definitions: byId,
        weightsOf: (model, data) =>
          plainModels.find((each) => each.id === model && each.data_preference === data)?.weights ?? new Map(),
        dictionary: words,
        random: randomOf(seed),
      });
      if (await isMember(play(plan, read, models), id)) return null;
      reasons.add(`not a member after ${JSON.stringify(plan).slice(0, 300)}`);
    } catch (error) {
      if (!(error instanceof NoWay)) throw error;
      reasons.add(error.message);
    }
  }
  return [...reasons].slice(0, 3).join('\n');
};

const isMember: IsMember = ({ engine }, id) => engine.members().includes(id);

const api = client({ project });

/** Sends the events that the server counts, and takes its counts and definitions in, as the SDK does. */
const isLiftedMember: IsMember = async ({ engine, events }, id) => {
  const lifted = events
    .filter(({ name }) => project.lift.events.includes(name))
    .map(({ name, time, properties }, i) => ({
      id: `event ${i}`,
      name,
      time: new Date(time).toISOString(),
      properties,
      session_id: 'session',
      view_id: 'view',
      cohorts: [],
      segments: [],
    }));
  const { result } = await api.call(liftEvents, { query: [['qid', project.workspaceId]], body: { events: lifted } });
  const { queries } = await api.call(liftQueries, {
    query: [
      ['qid', project.workspaceId],
      ['target', 'javascript'],
      ['ids', id],
    ],
  });
  engine.appendLifted(result.state, queries as readonly Definition[]);
  return engine.members().includes(id);
};

describe('The sample publisher', () => {
  test.each(project.queries.map(({ id, name }) => [id, name]))('lets a visitor into cohort %s: %s', async (id) => {
    expect(await failureOf(id, isMember)).toBeNull();
  });

  test.each(Object.entries(ruleNames))('lets a visitor into cohort %s of the rule tables: %s', async (id) => {
    expect(await failureOf(id, isMember)).toBeNull();
  });

  test.each(project.lifted.map(({ id, name }) => [id, name]))(
    'lets a visitor into cohort %s, which the server counts: %s',
    async (id) => {
      expect(await failureOf(id, isLiftedMember)).toBeNull();
    },
  );

  test('has rules of each kind, and each least number of signals that publishers use', () => {
    const entries = Object.values(project.rules);
    expect(new Set(entries.map(({ t }) => t))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
  });
});
