import type { AdRequestRow } from '../../src/inspector/adRequests/adRequest';
import { findingsText, printable } from '../doctor/findingsText';
import { plainText } from '../support/plainText';
import type { Followed } from './followVisits';

const heads = ['view', 'when', 'bidder', 'slot', 'codes', 'missing', 'entered on the page'] as const;

/** What the last columns mean to somebody who has not read the manual. */
const legend = [
  'codes: the cohort codes in the request. missing: codes that the view before had stored, and that the request did not have.',
  'entered on the page: codes of cohorts that the visitor has entered since the request; the next request has them.',
] as const;

/**
 * Whether the second view shows that all is there: it has made ad requests, the first view has left codes for them, and
 * none of the requests lacks any.
 */
export const isComplete = ({ views: [, second = []], hasCodes }: Followed): boolean =>
  second.length > 0 && hasCodes && second.every(({ missing }) => missing.length === 0);

/** The ad requests of both views as a table for a terminal, and what is to be done. */
export const visitsText = (followed: Followed): string => {
  const { views, hasCodes, findings } = followed;
  const [, second = []] = views;
  const cells = [heads, ...views.flatMap((rows, view) => rows.map((row) => cellsOf(row, view + 1)))];
  const widths = heads.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const lacking = second.filter(({ missing }) => missing.length > 0).length;
  const sum =
    second.length === 0
      ? 'No ad request was seen in the second view, so that nothing could be compared.'
      : !hasCodes
        ? 'The first view has stored no codes for these bidders. See that the visitor is in activated cohorts, and that the page needs no consent.'
        : lacking === 0
          ? 'Each ad request of the second view had all codes that the first had stored.'
          : `${lacking} of ${second.length} ad requests of the second view lacked codes that the first had stored.`;
  return [
    ...lines,
    '',
    ...legend,
    '',
    sum,
    ...(findings.length === 0 ? [] : ['', findingsText(findings.map(printable))]),
  ].join('\n');
};

const cellsOf = ({ at, bidder, slot, codes, missing, entered }: AdRequestRow, view: number): readonly string[] =>
  [
    String(view),
    `${Math.round(at)} ms`,
    bidder,
    slot || 'not said',
    codes === undefined ? 'not seen' : listText(codes),
    listText(missing),
    listText(entered),
  ].map(plainText);

const listText = (codes: readonly string[]): string => (codes.length === 0 ? '-' : codes.join(' '));
