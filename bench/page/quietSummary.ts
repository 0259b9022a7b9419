import type { Table } from '../table';
import type { Candidate } from './candidates';
import { cell, goalHead, goalRow, ofCandidate } from './medians';
import type { QuietVisit } from './quietVisit';

/** Medians of one candidate's visits, first or later. Times in ms, unless their name says otherwise. */
export interface QuietResult {
  readonly name: string;
  readonly isFirst: boolean;
  /** What the visit loads, in kB of 1,000 bytes. */
  readonly files: number;
  readonly gzipKb: number;
  readonly brotliKb: number;
  readonly mainToReady: number;
  readonly settled: number;
  readonly allThreads: number;
  readonly readyAfter: number;
  readonly wakeUps: number;
  readonly pageKb: number;
  readonly workerKb: number;
  readonly trackUs: number;
}

const resultOf = (candidate: Candidate, visits: readonly QuietVisit[], isFirst: boolean): QuietResult => {
  const { named, medianOf: of } = ofCandidate(candidate, visits, isFirst);
  return {
    ...named,
    mainToReady: of(({ toReady }) => toReady.mainMs),
    settled: of(({ toSettled }) => toSettled.mainMs),
    allThreads: of(({ toSettled }) => toSettled.allMs),
    readyAfter: of(({ readyAfterMs }) => readyAfterMs),
    wakeUps: of(({ wakeUps }) => wakeUps),
    pageKb: of(({ memory }) => memory && memory.page / 1000),
    workerKb: of(({ memory }) => memory && memory.worker / 1000),
    trackUs: of(({ trackUs }) => trackUs),
  };
};

const head = ['', 'files', 'gzip kB', 'Brotli kB', 'main to ready', 'settled', 'all threads', 'ready after'];
const headOfFirst = [...head, 'page kB', 'worker kB', 'wake-ups', 'track µs'];
const row = (r: QuietResult): readonly string[] => [
  r.name,
  cell(r.files),
  cell(r.gzipKb, 1),
  cell(r.brotliKb, 1),
  cell(r.mainToReady, 1),
  cell(r.settled, 1),
  cell(r.allThreads),
  cell(r.readyAfter),
];
const rowOfFirst = (r: QuietResult): readonly string[] => [
  ...row(r),
  cell(r.pageKb),
  cell(r.workerKb),
  cell(r.wakeUps),
  cell(r.trackUs),
];

/** A figure of the visits, and the most that ours is to have of it. */
interface QuietGoal {
  readonly what: string;
  readonly read: (result: QuietResult) => number;
  /** Of later visits in place of first ones. */
  readonly isLater?: boolean;
  /** So many times the figure of a peer of the same run, and so much more. */
  readonly peer?: string;
  readonly times?: number;
  readonly plus?: number;
}

const quietGoals: readonly QuietGoal[] = [
  { what: 'main to ready, ms (Segment’s)', read: (r) => r.mainToReady, peer: 'Segment' },
  { what: 'main to ready, later visit, ms (Segment’s)', read: (r) => r.mainToReady, isLater: true, peer: 'Segment' },
  { what: 'settled, ms (Snowplow’s)', read: (r) => r.settled, peer: 'Snowplow' },
  { what: 'settled, later visit, ms (Snowplow’s)', read: (r) => r.settled, isLater: true, peer: 'Snowplow' },
  { what: 'ready after, ms (2 × Segment’s)', read: (r) => r.readyAfter, peer: 'Segment', times: 2 },
  { what: 'all threads, ms (PostHog’s)', read: (r) => r.allThreads, peer: 'PostHog' },
  { what: 'memory of the page, kB (Datadog’s)', read: (r) => r.pageKb, peer: 'Datadog RUM' },
  { what: 'memory of the worker, kB', read: (r) => r.workerKb, plus: 2000 },
  { what: 'wake-ups in 10 s, settled', read: (r) => r.wakeUps, peer: 'floor', plus: 25 },
  { what: 'loaded by a first visit, kB gzip', read: (r) => r.gzipKb, plus: 90 },
];

/** What a page is to pay for ours with 1,000 cohorts, beside the peers of the same run. */
const goalRows = (results: readonly QuietResult[]): readonly (readonly string[])[] =>
  quietGoals.map(({ what, read, isLater = false, peer, times = 1, plus = 0 }) => {
    const figureOf = (name: string): number => {
      const found = results.find((result) => result.name === name && result.isFirst !== isLater);
      return found === undefined ? NaN : read(found);
    };
    return goalRow([what, figureOf('ours, 1,000 cohorts'), (peer === undefined ? 0 : times * figureOf(peer)) + plus]);
  });

/** Tables of all candidates on their first and later visits, and of the goals. */
export const summariseQuietly = (
  candidates: readonly Candidate[],
  visits: readonly QuietVisit[],
): { readonly tables: readonly Table[]; readonly results: readonly QuietResult[] } => {
  const first = candidates.map((candidate) => resultOf(candidate, visits, true));
  const later = candidates.map((candidate) => resultOf(candidate, visits, false));
  const results = [...first, ...later];
  return {
    tables: [
      { title: 'First visit', head: headOfFirst, rows: first.map(rowOfFirst) },
      { title: 'Later visit', head, rows: later.map(row) },
      { title: 'Goals for ours with 1,000 cohorts', head: goalHead, rows: goalRows(results) },
    ],
    results,
  };
};
