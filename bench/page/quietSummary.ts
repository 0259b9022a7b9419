import { gzipSync } from 'node:zlib';

import { median } from '../measure';
import type { Table } from '../table';
import type { Candidate } from './candidates';
import type { QuietVisit } from './quietVisit';

/** Medians of one candidate's visits, first or later. Times in ms, unless their name says otherwise. */
export interface QuietResult {
  readonly name: string;
  readonly isFirst: boolean;
  readonly gzipKb: number;
  readonly mainToReady: number;
  readonly settled: number;
  readonly allThreads: number;
  readonly readyAfter: number;
  readonly wakeUps: number;
  readonly pageKb: number;
  readonly workerKb: number;
  readonly trackUs: number;
}

const resultOf = ({ name, script }: Candidate, visits: readonly QuietVisit[], isFirst: boolean): QuietResult => {
  const own = visits.filter((visit) => visit.candidate === name && visit.isFirst === isFirst);
  const of = (read: (visit: QuietVisit) => number | undefined): number =>
    median(own.flatMap((visit) => read(visit) ?? []));
  return {
    name,
    isFirst,
    gzipKb: gzipSync(script, { level: 9 }).length / 1024,
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

const number = (value: number, digits = 0): string => (Number.isNaN(value) ? '–' : value.toFixed(digits));

const head = ['', 'gzip kB', 'main to ready', 'settled', 'all threads', 'ready after'];
const headOfFirst = [...head, 'page kB', 'worker kB', 'wake-ups', 'track µs'];
const row = (r: QuietResult): readonly string[] => [
  r.name,
  number(r.gzipKb, 1),
  number(r.mainToReady, 1),
  number(r.settled, 1),
  number(r.allThreads),
  number(r.readyAfter),
];
const rowOfFirst = (r: QuietResult): readonly string[] => [
  ...row(r),
  number(r.pageKb),
  number(r.workerKb),
  number(r.wakeUps),
  number(r.trackUs),
];

/** What a page is to pay for ours with 1,000 cohorts, beside the peers of the same run. */
const goalRows = (results: readonly QuietResult[]): readonly (readonly string[])[] => {
  const of = (name: string, isFirst: boolean): QuietResult | undefined =>
    results.find((result) => result.name === name && result.isFirst === isFirst);
  const compare = (
    what: string,
    isFirst: boolean,
    read: (result: QuietResult) => number,
    goal: number,
  ): readonly string[] => {
    const own = of('ours, 1,000 cohorts', isFirst);
    const measured = own === undefined ? NaN : read(own);
    const isKnown = !Number.isNaN(measured) && !Number.isNaN(goal);
    return [what, number(measured, 1), number(goal, 1), !isKnown ? '' : measured <= goal ? 'met' : 'missed'];
  };
  const peer = (name: string, isFirst: boolean, read: (result: QuietResult) => number): number => {
    const found = of(name, isFirst);
    return found === undefined ? NaN : read(found);
  };
  const toReady = (r: QuietResult): number => r.mainToReady;
  const settled = (r: QuietResult): number => r.settled;
  return [
    compare('main to ready, ms (Segment’s)', true, toReady, peer('Segment', true, toReady)),
    compare('main to ready, later visit, ms (Segment’s)', false, toReady, peer('Segment', false, toReady)),
    compare('settled, ms (Snowplow’s)', true, settled, peer('Snowplow', true, settled)),
    compare('settled, later visit, ms (Snowplow’s)', false, settled, peer('Snowplow', false, settled)),
    compare(
      'ready after, ms (2 × Segment’s)',
      true,
      (r) => r.readyAfter,
      2 * peer('Segment', true, (r) => r.readyAfter),
    ),
    compare(
      'all threads, ms (PostHog’s)',
      true,
      (r) => r.allThreads,
      peer('PostHog', true, (r) => r.allThreads),
    ),
    compare(
      'memory of the page, kB (Datadog’s)',
      true,
      (r) => r.pageKb,
      peer('Datadog RUM', true, (r) => r.pageKb),
    ),
    compare('memory of the worker, kB', true, (r) => r.workerKb, 2000),
    compare('wake-ups in 10 s, settled', true, (r) => r.wakeUps, 25 + peer('floor', true, (r) => r.wakeUps)),
    compare('page script, kB gzip', true, (r) => r.gzipKb, 30),
  ];
};

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
      { title: 'Goals for ours with 1,000 cohorts', head: ['', 'measured', 'goal', ''], rows: goalRows(results) },
    ],
    results,
  };
};
