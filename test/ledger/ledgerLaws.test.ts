import { lawOf } from '../support/laws';
import { faults } from './faults';
import { type Fault, play } from './play';
import { anyStory, type Story } from './story';

/**
 * The law of delivery and of counting in one: whatever ends a page, once all is quiet the engine has counted what the
 * server has got, each event once, and at no moment more. The server has got all that a listener has heard, and has
 * been told of each cohort that the visitor has entered.
 */
const expectLaw = (story: Story, fault?: Fault): void => {
  const { counts, most, lost, uploaded, entered, members } = play(story, fault);
  expect(lost).toEqual([]);
  expect([...new Set(entered)]).toEqual(members);
  // Two tabs may enter a cohort in the same moment, each by an event of its own.
  if (isOfOneTab(story)) expect(entered).toEqual(members);
  expect(counts).toEqual(uploaded);
  expect(Math.max(0, ...most.times)).toBeLessThanOrEqual(1);
  expect(most.pageviews).toBeLessThanOrEqual(uploaded.pageviews);
  expect(most.lateViews).toBeLessThanOrEqual(uploaded.pageviews);
};

const isOfOneTab = (story: Story): boolean => new Set(story.map((step) => ('tab' in step ? step.tab : 0))).size === 1;

describe('What is uploaded is what is counted,', () => {
  it(
    'whatever ends a page',
    lawOf(5000, { quick: 60 })(anyStory, (story) => expectLaw(story)),
    3_600_000,
  );

  const open = { do: 'open', tab: 0 } as const;
  const other = { do: 'open', tab: 1 } as const;
  it.each<[string, Story]>([
    [
      'after a crash before the engine has started',
      [
        { ...open, then: 30 },
        { do: 'crash', tab: 0, then: 100 },
      ],
    ],
    [
      'after a crash in the time between events and save',
      [
        { ...open, then: 1500 },
        { do: 'track', tab: 0, then: 1 },
        { do: 'engage', tab: 0, then: 300 },
        { do: 'engage', tab: 0, then: 10 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    [
      'after a crash while transitions wait to be told',
      [
        { ...open, then: 1500 },
        { do: 'engage', tab: 0, then: 100 },
        { do: 'track', tab: 0, then: 100 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    [
      'after a crash once transitions are told, and not saved',
      [
        { ...open, then: 1500 },
        { do: 'engage', tab: 0, then: 600 },
        { do: 'track', tab: 0, then: 700 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    [
      'where two tabs leave in the same moment',
      [
        { ...open, then: 1500 },
        { ...other, then: 1500 },
        { do: 'engage', tab: 0, then: 0 },
        { do: 'engage', tab: 1, then: 0 },
        { do: 'leaveAll', then: 0 },
      ],
    ],
    [
      'where local storage is full',
      [
        { ...open, then: 1500 },
        { do: 'local', works: false, then: 0 },
        { do: 'track', tab: 0, then: 0 },
        { do: 'engage', tab: 0, then: 20 },
        { do: 'close', tab: 0, then: 100 },
      ],
    ],
    ...[150, 300, 700, 1500].map((ms): [string, Story] => [
      `where a tab is closed ${ms} ms after its start`,
      [
        { ...open, then: ms },
        { do: 'engage', tab: 0, then: 1 },
        { do: 'close', tab: 0, then: 0 },
      ],
    ]),
    [
      'where the engine of a page never starts',
      [
        { do: 'engine', works: false, then: 0 },
        { ...open, then: 700 },
        { do: 'track', tab: 0, then: 700 },
        { do: 'engage', tab: 0, then: 700 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    [
      'where the store refuses two tabs of a new visitor, and then works again',
      [
        { do: 'store', works: false, then: 0 },
        { do: 'open', tab: 2, then: 0 },
        { ...open, then: 6000 },
        { do: 'engage', tab: 2, then: 0 },
      ],
    ],
    [
      'where the store answers a new visitor late, after a second tab was opened',
      [
        { do: 'busy', ms: 2000, then: 0 },
        { ...open, then: 1000 },
        { ...other, then: 3000 },
        { do: 'track', tab: 0, then: 100 },
        { do: 'engage', tab: 1, then: 6000 },
      ],
    ],
    [
      'where the store is too slow for the save of one of two tabs',
      [
        { ...open, then: 6000 },
        { ...other, then: 6000 },
        { do: 'track', tab: 0, then: 0 },
        { do: 'busy', ms: 4000, then: 7000 },
        { do: 'track', tab: 1, then: 0 },
        { do: 'track', tab: 0, then: 11_000 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    [
      'where a tab is frozen between event and save, and goes on beside another one',
      [
        { ...open, then: 6000 },
        { do: 'track', tab: 0, then: 20 },
        { do: 'freeze', tab: 0, then: 11_000 },
        { ...other, then: 6000 },
        { do: 'engage', tab: 1, then: 300 },
        { do: 'engage', tab: 0, then: 6000 },
      ],
    ],
    [
      'where a frozen tab is ended without a word',
      [
        { ...open, then: 6000 },
        { do: 'track', tab: 0, then: 20 },
        { do: 'freeze', tab: 0, then: 11_000 },
        { do: 'close', tab: 0, then: 0 },
      ],
    ],
    [
      'where a page is left before its script has run, which runs then in the back-forward cache',
      [
        { ...open, then: 6000 },
        { ...open, then: 5 },
        { ...open, then: 6000 },
        { do: 'track', tab: 0, then: 6000 },
        { do: 'back', tab: 0, then: 3000 },
      ],
    ],
    [
      'where an event is tracked in the moment of a return, and the page is left at once',
      [
        { ...open, then: 4900 },
        { ...open, then: 0 },
        { do: 'back', tab: 0, then: 0 },
        { do: 'track', tab: 0, then: 0 },
      ],
    ],
    [
      'where a page is left while its Pageview waits for the place, and the next engine reads the journal',
      [
        { ...other, then: 0 },
        { ...open, then: 35 },
        { ...open, then: 0 },
        { do: 'network', works: false, then: 0 },
        { ...open, then: 0 },
      ],
    ],
    [
      'where another tab opens while the place is awaited',
      [
        { do: 'place', works: true, lateMs: 4000, then: 0 },
        { ...open, then: 1300 },
        { do: 'track', tab: 0, then: 100 },
        { ...other, then: 6000 },
      ],
    ],
    [
      'where a save is due while the place of another view is awaited, and the page ends before it is known',
      [
        { do: 'place', works: false, lateMs: 4000, then: 0 },
        { ...open, then: 6000 },
        { do: 'track', tab: 0, then: 4000 },
        { do: 'track', tab: 0, then: 2000 },
        { do: 'view', tab: 0, then: 1300 },
        { do: 'track', tab: 0, then: 3000 },
        { do: 'crash', tab: 0, then: 0 },
      ],
    ],
    ...[700, 1500, 60_000].flatMap((lateMs) =>
      (['close', 'crash', 'hide'] as const).flatMap((end) =>
        [900, 1300, 2000, 6500].map((ms): [string, Story] => [
          `where the place comes ${lateMs} ms late, and after ${ms} ms comes: ${end}`,
          [
            { do: 'place', works: true, lateMs, then: 0 },
            { ...open, then: ms },
            { do: 'track', tab: 0, then: 30 },
            { do: end, tab: 0, then: 20 },
            { ...other, then: 1500 },
            { do: 'engage', tab: 1, then: 0 },
          ],
        ]),
      ),
    ),
  ])('%s', (_, story) => expectLaw(story));
});

describe('A Pageview counts with the visitor’s place', () => {
  it.each([
    ['that is there at once', 0, 3000, true],
    ['that comes before the upload', 900, 3000, true],
    ['that comes after the upload', 1500, 3000, true],
    ['that comes as late as a request may take', 4800, 7000, true],
    ['never where it comes later', 60_000, 70_000, false],
    ['never where the page is left before', 1500, 1300, false],
  ])('%s', (_, lateMs, then, isPlaced) => {
    const { counts, placed } = play([
      { do: 'place', works: true, lateMs, then: 0 },
      { do: 'open', tab: 0, then },
      { do: 'close', tab: 0, then: 100 },
    ]);
    // The pages that the play ends with know the place.
    expect([counts.pageviews, placed]).toEqual([3, isPlaced ? 3 : 2]);
  });
});

describe('The law sees', () => {
  it.each(Object.entries(faults))('%s', (_, [fault, story]) => {
    expectLaw(story);
    expect(() => expectLaw(story, fault)).toThrow(/toEqual|toBeLessThanOrEqual/);
  });
});
