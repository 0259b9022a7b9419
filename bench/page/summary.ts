import type { Table } from '../table';
import type { Candidate } from './candidates';
import { cell, type Goal, goalHead, goalRow, ofCandidate } from './medians';
import type { Visit } from './visit';

/** Medians of one candidate's visits. Times in ms, unless their name says otherwise. */
export interface Result {
  readonly name: string;
  readonly isFirst: boolean;
  /** What the visit loads, in kB of 1,000 bytes. */
  readonly files: number;
  readonly gzipKb: number;
  readonly brotliKb: number;
  readonly evaluate: number;
  /** Parsing and compiling (of first visits), and collecting garbage, on the page's thread. */
  readonly compile: number;
  readonly collect: number;
  readonly mainToReady: number;
  readonly settled: number;
  readonly ready: number;
  readonly longTasks: number;
  readonly longestTask: number;
  readonly heapKb: number;
  readonly click: number;
  readonly trackCallUs: number;
  readonly trackAllUs: number;
  /** Moments of our own script: stored cohorts on Google's tag, Pageview on disk, cohorts of this page. */
  readonly cohorts: number;
  readonly durable: number;
  readonly realtime: number;
}

const resultOf = (candidate: Candidate, visits: readonly Visit[], isFirst: boolean): Result => {
  const { named, medianOf: of } = ofCandidate(candidate, visits, isFirst);
  return {
    ...named,
    evaluate: of(({ evaluateMs }) => evaluateMs),
    compile: of(({ compileMs }) => compileMs),
    collect: of(({ collectMs }) => collectMs),
    mainToReady: of(({ mainToReadyMs }) => mainToReadyMs),
    settled: of(({ mainMs }) => mainMs),
    ready: of(({ readyAt }) => readyAt),
    longTasks: of(({ longTasks }) => longTasks.length),
    longestTask: of(({ longestMs }) => longestMs),
    heapKb: of(({ heapBytes }) => heapBytes / 1024),
    click: of(({ clickMs }) => clickMs),
    trackCallUs: of(({ trackCallUs }) => trackCallUs),
    trackAllUs: of(({ trackAllUs }) => trackAllUs),
    cohorts: of(({ marks }) => marks['cohorts']),
    durable: of(({ marks }) => marks['durable']),
    realtime: of(({ marks }) => marks['realtime']),
  };
};

const ratio = (value: number, to: number): string => (Number.isNaN(value / to) ? '–' : `${(value / to).toFixed(1)}×`);

const head = [
  '',
  'gzip kB',
  'evaluate',
  'compile',
  'collect',
  'main to ready',
  'settled',
  'ready',
  'long tasks',
  'longest',
  'click',
  'heap kB',
  'track µs',
  'all-in µs',
];
const row = (r: Result): readonly string[] => [
  r.name,
  cell(r.gzipKb, 1),
  cell(r.evaluate, 1),
  cell(r.compile, 1),
  cell(r.collect, 1),
  cell(r.mainToReady),
  cell(r.settled),
  cell(r.ready),
  cell(r.longTasks),
  cell(r.longestTask),
  cell(r.click),
  cell(r.heapKb),
  cell(r.trackCallUs),
  cell(r.trackAllUs),
];

/** Peers with a script as large as ours or larger. */
const isLarger = ({ gzipKb }: Result): boolean => gzipKb >= 25;

/** What the start is to come to: of ours with 1,000 cohorts, with the processor slowed down 4 times. */
const goalRows = (
  [first, later]: readonly [Result, Result],
  optable: Result | undefined,
): readonly (readonly string[])[] => {
  const optableTimes = (factor: number, read: (result: Result) => number): number =>
    optable === undefined ? NaN : factor * read(optable);
  const goals: readonly Goal[] = [
    ['longest task, ms', Math.max(first.longestTask, later.longestTask), 50],
    ['evaluate, ms', first.evaluate, 15],
    ['stored cohorts on googletag, ms', later.cohorts, 40],
    ['Pageview durable, ms', first.durable, 150],
    ['main thread to ready, ms (1.2 × Optable)', first.mainToReady, optableTimes(1.2, (r) => r.mainToReady)],
    ['settled, ms (2 × Optable)', first.settled, optableTimes(2, (r) => r.settled)],
    ['heap, kB (1.5 × Optable + 150)', first.heapKb, optableTimes(1.5, (r) => r.heapKb) + 150],
    ['loaded, kB gzip', first.gzipKb, 90],
    ['track(), µs a call', first.trackCallUs, 50],
    ['track(), µs all-in', first.trackAllUs, 600],
  ];
  return goals.map(goalRow);
};

/** Tables of all candidates, of our ratios to them, and of our own moments. */
export const summarise = (
  candidates: readonly Candidate[],
  visits: readonly Visit[],
  rate: number,
): { readonly tables: readonly Table[]; readonly results: readonly Result[] } => {
  const results = [true, false].flatMap((isFirst) =>
    candidates.map((candidate) => resultOf(candidate, visits, isFirst)),
  );
  const tables = [true, false].flatMap((isFirst): readonly Table[] => {
    const title = isFirst ? 'First visit' : 'Later visit';
    const all = results.filter((result) => result.isFirst === isFirst);
    const own = all.filter(({ name }) => name.startsWith('ours'));
    const others = all.filter(({ name }) => !name.startsWith('ours'));
    const named = (name: string): Result | undefined => others.find((result) => result.name === name);
    const larger = others.filter(isLarger).sort((a, b) => a.settled - b.settled)[0];
    const references = [named('Optable'), larger, named('floor')].filter((result) => result !== undefined);
    return [
      { title, head, rows: all.map(row) },
      {
        title: `${title}: ours in relation to`,
        head: ['', 'evaluate', 'main to ready', 'settled', 'heap'],
        rows: own.flatMap((r) =>
          references.map((to) => [
            `${r.name} / ${to.name}`,
            ratio(r.evaluate, to.evaluate),
            ratio(r.mainToReady, to.mainToReady),
            ratio(r.settled, to.settled),
            ratio(r.heapKb, to.heapKb),
          ]),
        ),
      },
      {
        title: `${title}: moments of ours, ms after the script element`,
        head: [
          '',
          isFirst ? 'first cohorts on googletag' : 'stored cohorts on googletag',
          'Pageview durable',
          'ready',
          'realtime',
        ],
        rows: own.map((r) => [r.name, cell(r.cohorts), cell(r.durable), cell(r.ready), cell(r.realtime)]),
      },
      {
        title: `${title}: our tasks over 50 ms`,
        head: ['at', 'ms', 'what ran in it'],
        rows: visits
          .filter((visit) => visit.candidate.startsWith('ours') && visit.isFirst === isFirst)
          .flatMap(({ longTasks }) => longTasks.map(({ at, ms, what }) => [String(at), String(ms), what.join('; ')]))
          .slice(0, 12),
      },
    ];
  });
  const named = (name: string): readonly Result[] => results.filter((result) => result.name === name);
  const [first, later] = named('ours, 1,000 cohorts');
  const goals: readonly Table[] =
    rate !== 4 || first === undefined || later === undefined
      ? []
      : [
          {
            title: 'Goals for ours with 1,000 cohorts, slowed down 4 times',
            head: goalHead,
            rows: goalRows([first, later], named('Optable')[0]),
          },
        ];
  return { tables: [...tables, ...goals], results };
};
