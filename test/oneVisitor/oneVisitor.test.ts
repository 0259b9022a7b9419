import { type Clause, clauses } from './clauses';
import { faults } from './faults';
import { play } from './play';
import { shortest, type Story, storyOf } from './steps';
import { stories } from './stories';

/**
 * How many stories are played, 240 where nothing is said, and the seed of the first. `npm run law` plays 5,000 and
 * names the seeds that break the law. `VISITOR_SEEDS=1 VISITOR_FIRST=7 npx jest test/oneVisitor --selectProjects unit`
 * tells why one does, with the shortest story that does the same.
 */
const count = Number(process.env['VISITOR_SEEDS'] ?? 240);
const first = Number(process.env['VISITOR_FIRST'] ?? 1);

/** What breaks a clause in a story, each once, where it does. */
const broken = (clause: Clause, story: Story): readonly string[] => [
  ...new Set(play(story).violations.flatMap((found) => (found.clause === clause ? [found.what] : []))),
];

describe('One visitor, one answer: in any story,', () => {
  const failing = new Map<Clause, number[]>();

  beforeAll(() => {
    for (let seed = first; seed < first + count; seed += 1)
      for (const clause of new Set(play(storyOf(seed)).violations.map((found) => found.clause)))
        failing.set(clause, [...(failing.get(clause) ?? []), seed]);
  }, 3_600_000);

  test.each(Object.entries(clauses) as [Clause, string][])('%s: %s', (clause) => {
    const seeds = failing.get(clause) ?? [];
    expect(seeds.length === 0 ? [] : told(clause, seeds)).toEqual([]);
  });
});

/** What a reader needs of the stories that break a clause: their seeds, and the first one as short as it can be. */
const told = (clause: Clause, seeds: readonly number[]): readonly string[] => {
  const story = shortest(storyOf(seeds[0]!), (shorter) => broken(clause, shorter).length > 0);
  return [
    `${seeds.length} of ${count} seeds: ${seeds.slice(0, 20).join(', ')}`,
    `consent ${story.consentRequired ? '' : 'not '}required`,
    ...story.steps.map((step) => JSON.stringify(step)),
    ...broken(clause, story).slice(0, 3),
  ];
};

describe('One visitor, one answer: of visitors', () => {
  test.each(Object.entries(stories))('%s', (_, [clause, story]) => {
    expect(broken(clause, story)).toEqual([]);
  });
});

describe('The law sees', () => {
  test.each(Object.entries(faults))('what breaks %s', (clause, [changed, story]) => {
    const { violations } = play(story, changed);
    expect(violations.map((found) => found.clause)).toContain(clause);
  });
});
