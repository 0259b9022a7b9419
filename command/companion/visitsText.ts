import { type AdRequestRow, entryText } from '../../src/inspector/adRequests/adRequest';
import { findingsText, printable } from '../doctor/findingsText';
import { plainText } from '../support/plainText';
import type { Followed } from './followVisits';
import type { Write } from './writes';

/** The columns of ad requests: what each is called, and what a row has there. */
const columns: readonly (readonly [head: string, cell: (row: AdRequestRow, view: number) => string])[] = [
  ['view', (_, view) => String(view)],
  ['when', ({ at }) => `${Math.round(at)} ms`],
  ['bidder', ({ bidder }) => bidder],
  ['slot', ({ slot }) => slot || 'not said'],
  ['codes', ({ codes }) => saidText(codes)],
  ['entries', ({ entries }) => saidText(entries?.map(entryText))],
  ['group', ({ group }) => (group === undefined ? 'not seen' : group || '-')],
  ['missing', ({ missing }) => listText(missing)],
  ['taken out', (row) => listText(erasedFrom(row))],
  ['entered on the page', ({ entered }) => listText(entered)],
];

const writeHeads = ['view', 'when', 'place', 'written by', 'what stands there from then on'] as const;
const writeLegend =
  'written by: the script that called the tag. A request has what was written last before it, and Prebid adds to ortb2 what its modules know.';
/** Writes of a view that are printed, the latest. */
const maxWrites = 50;

/** What the last columns mean to somebody who has not read the manual. */
const legend = [
  'codes: the cohort codes in the request. missing: codes that the view before had stored, and that the request did not have.',
  'entries: what the request says in taxonomies of the trade, such as 4:364, and in whose name. taken out: codes and entries that an earlier request had, or another one of the auction.',
  'entered on the page: codes of cohorts that the visitor has entered since the request; the next request has them.',
] as const;
const groupLegend = 'group: the group of the experiment that the request says, under prmtvexp.';

/**
 * Whether the second view shows that all is there: it has made ad requests, the first view has left codes for them, and
 * none of the requests lacks any.
 */
export const isComplete = ({ views: [, second = []], hasCodes }: Followed): boolean =>
  second.length > 0 && hasCodes && second.every((row) => row.missing.length + erasedFrom(row).length === 0);

/** Codes and entries that something has taken out of a request. */
const erasedFrom = ({ erasedCodes, erasedEntries }: AdRequestRow): readonly string[] => [
  ...erasedCodes,
  ...erasedEntries,
];

/** The ad requests of both views as a table for a terminal, and what is to be done. */
export const visitsText = (followed: Followed): string => {
  const { views, writes, findings } = followed;
  const hasGroup = views.flat().some(({ group = '' }) => group !== '');
  // Most projects have no experiment.
  const shown = columns.filter(([head]) => head !== 'group' || hasGroup);
  const written = writes.flatMap((all, view) => all.slice(-maxWrites).map((write) => writeCells(write, view + 1)));
  return [
    ...tableLines([
      shown.map(([head]) => head),
      ...views.flatMap((rows, view) => rows.map((row) => shown.map(([, cell]) => cell(row, view + 1)).map(plainText))),
    ]),
    '',
    ...legend,
    ...(hasGroup ? [groupLegend] : []),
    '',
    ...(written.length === 0 ? [] : [...tableLines([writeHeads, ...written]), '', writeLegend, '']),
    ...sumOf(followed),
    ...(findings.length === 0 ? [] : ['', findingsText(findings.map(printable))]),
  ].join('\n');
};

/** Rows of a table for a terminal, in columns. */
const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** What the second view has shown, in sentences. */
const sumOf = ({ views: [, second = []], hasCodes }: Followed): readonly string[] => {
  if (second.length === 0) return ['No ad request was seen in the second view, so that nothing could be compared.'];
  if (!hasCodes)
    return [
      'The first view has stored no codes for these bidders. See that the visitor is in activated cohorts, and that the page needs no consent.',
    ];
  const lacking = second.filter(({ missing }) => missing.length > 0).length;
  const erased = second.filter((row) => erasedFrom(row).length > 0).length;
  const ofAll = (count: number): string => `${count} of ${second.length} ad requests of the second view`;
  if (lacking + erased === 0) return ['Each ad request of the second view had all codes that the first had stored.'];
  return [
    ...(lacking === 0 ? [] : [`${ofAll(lacking)} lacked codes that the first had stored.`]),
    ...(erased === 0 ? [] : [`${ofAll(erased)} lacked what another request had.`]),
  ];
};

const writeCells = ({ at, place, by, codes, entries }: Write, view: number): readonly string[] =>
  [String(view), `${Math.round(at)} ms`, place, by || 'not seen', listText(codes ?? entries?.map(entryText) ?? [])].map(
    plainText,
  );

const saidText = (texts: readonly string[] | undefined): string => (texts === undefined ? 'not seen' : listText(texts));

const listText = (texts: readonly string[]): string => (texts.length === 0 ? '-' : texts.join(' '));
