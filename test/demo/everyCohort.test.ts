import { modelsOf } from '../../demo/api/models';
import { project } from '../../demo/project/project';
import type { Definition } from '../../src/engine/language/language';
import { decodeModels } from '../../src/engine/models/lookalike';
import { encodeModels } from '../../tools/encodeModels';
import { NoWay, planFor } from './support/visitorPlan';
import { dictionary, membersAfter } from './support/visitorRun';

const definitions: readonly Definition[] = project.queries;
const plainModels = modelsOf(project);
const models = decodeModels(encodeModels(plainModels, { version: 2, precision: 12 }));
if (models instanceof Error) throw models;
const byId = new Map(definitions.map((definition) => [definition.id, definition]));
const words = [...dictionary, 'fintech', 'real estate', 'remote work'];

/** Numbers from 0 to 1, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
};

/** Why none of so many generated visitors got into the cohort; null where one of them did. */
const failureOf = (id: string, tries = 40): string | null => {
  const reasons = new Set<string>();
  for (let seed = 1; seed <= tries; seed++) {
    try {
      const plan = planFor(id, {
        definitions: byId,
        weightsOf: (model, data) =>
          plainModels.find((each) => each.id === model && each.data_preference === data)?.weights ?? new Map(),
        dictionary: words,
        random: randomOf(seed),
      });
      if (membersAfter(plan, definitions, models).has(id)) return null;
      reasons.add(`not a member after ${JSON.stringify(plan).slice(0, 300)}`);
    } catch (error) {
      if (!(error instanceof NoWay)) throw error;
      reasons.add(error.message);
    }
  }
  return [...reasons].slice(0, 3).join('\n');
};

describe('The sample publisher', () => {
  test.each(project.queries.map(({ id, name }) => [id, name]))('lets a visitor into cohort %s: %s', (id) => {
    expect(failureOf(id)).toBeNull();
  });
});
