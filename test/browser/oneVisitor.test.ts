import { type Clause, clauses } from '../oneVisitor/clauses';
import { type Story, storyOf } from '../oneVisitor/steps';
import { stories } from '../oneVisitor/stories';
import { can, listMissing, needs } from './support/needs';
import { isPlayable, playOutside } from './support/outsideStory';
import { openStage, type Stage } from './support/stage';

/** As many stories at a time, each in a browser context of its own. */
const atOnce = 5;
const count = Number(process.env['VISITOR_SEEDS'] ?? 5);
const first = Number(process.env['VISITOR_FIRST'] ?? 1);

/** The clauses of which something can be seen from outside. */
const seen = (Object.entries(clauses) as [Clause, string][]).filter(
  ([clause]) =>
    ![
      ...['I1 told', 'I1 stored', 'I1 view', 'I2 erased', 'I4 once', 'I5 prerendered', 'I6 completed', 'I7 facts'],
      'I7 views',
    ].includes(clause),
);

const seeded = (seed: number): readonly [string, Story] => [`seed${seed}`, storyOf(seed)];
/** Stories that the SDK once got wrong, by their number, as far as a real browser can play them. */
const known = Object.values(stories).flatMap(([, story], i): readonly (readonly [string, Story])[] =>
  story.steps.every(isPlayable) ? [[`story${i + 1}`, story]] : [],
);
/** The stories that this browser can play: not all browsers let the process of one page die alone. */
const played = [...known, ...Array.from({ length: count }, (_, i) => seeded(first + i))].filter(
  ([, { steps }]) => can('crashAlone') || steps.every((step) => step.do !== 'crash'),
);

describe('One visitor, one answer: in a browser, on two origins,', () => {
  const broken = new Map<Clause, string[]>();
  const unplayed: string[] = [];
  let stage: Stage | undefined;

  beforeAll(async () => {
    const opened = await openStage();
    stage = opened;
    const waiting = can('senders') ? [...played] : [];
    const playNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, story] = next;
        const { violations } = await playOutside(name, story, opened).catch((cause: unknown) => {
          unplayed.push(`${name}: ${String(cause)}`);
          return { violations: [] };
        });
        for (const { clause, what } of violations)
          broken.set(clause, [...(broken.get(clause) ?? []), `${name}: ${what}`]);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, playNext));
  }, 600_000);
  afterAll(() => stage?.close());

  test('there are stories to play', () => {
    expect(played.length).toBeGreaterThan(count / 4);
  });

  listMissing('crashAlone', 'stories in which a page crashes');

  needs('senders')('every story is played to its end', () => {
    expect(unplayed).toEqual([]);
  });

  needs('senders').each(seen)('%s: %s', (clause) => {
    expect([...new Set(broken.get(clause))]).toEqual([]);
  });
});
