import type { ReactElement } from 'react';

import type { AdRequestRow } from '../adRequests/adRequest';
import { entryText } from '../adRequests/adRequest';
import { adRequestsOnPage } from '../adRequests/seenOnPage';
import { toldEntries } from '../adRequests/toldEntries';
import { Table, useLatest, usePanel } from './parts';

/** Requests that are shown: the first, which are those that come before the SDK. */
const maxAdRequests = 100;

/**
 * Each request of the page for an ad: when it began, which cohort codes and entries of taxonomies it carried, which it
 * lacked, and which were taken out of it.
 */
export const AdRequestsPanel = (): ReactElement => {
  const { page } = usePanel();
  const told = useLatest(() => toldEntries(page), [page]);
  const rows = adRequestsOnPage(page, told).slice(0, maxAdRequests);
  if (rows.length === 0) return <p className="soft">The page has made no ad request that can be seen.</p>;
  const lacking = rows.filter(({ missing }) => missing.length > 0).length;
  const erased = rows.filter(({ erasedCodes, erasedEntries }) => erasedCodes.length + erasedEntries.length > 0).length;
  return (
    <>
      {lacking + erased === 0 && (
        <p>
          Each request that can be read had all codes that the last page has stored, and all that an earlier one had.
        </p>
      )}
      {lacking > 0 && (
        <p className="bad">{`${lacking} of ${rows.length} requests lacked codes that the last page has stored.`}</p>
      )}
      {erased > 0 && (
        <p className="bad">
          {`${erased} of ${rows.length} requests lacked what another one had: the panel Health says what to do.`}
        </p>
      )}
      <Table heads={['Slot', 'Bidder', 'When', 'Codes', 'Entries', 'Missing']} rows={rows.map(adRequestCells)} />
    </>
  );
};

const adRequestCells = (row: AdRequestRow, i: number) =>
  [
    i,
    <>
      {row.slot || <span className="soft">not said</span>}
      {row.slot && !row.isFirst && <span className="soft"> again</span>}
    </>,
    row.bidder,
    <span className="whole">{Math.round(row.at)} ms</span>,
    <>
      {said(row.codes, 'in its body, which a page cannot read: run npm run companion')}
      {row.group && <div className="soft">group: {row.group}</div>}
    </>,
    said(row.entries?.map(entryText), 'not seen'),
    <Lacking {...row} />,
  ] as const;

/** What a request said. `unseen`: the words for a request that shows nothing of it. */
const said = (texts: readonly string[] | undefined, unseen: string): ReactElement =>
  texts === undefined || texts.length === 0 ? (
    <span className="soft">{texts === undefined ? unseen : 'none'}</span>
  ) : (
    <>{texts.join(', ')}</>
  );

const Lacking = ({ codes, missing, entered, erasedCodes, erasedEntries, laterEntries }: AdRequestRow): ReactElement => {
  const erased = [...erasedCodes, ...erasedEntries];
  const lacking = [...missing, ...entered, ...erased, ...laterEntries];
  return (
    <>
      {missing.length > 0 && <span className="bad">{missing.join(', ')}</span>}
      {erased.length > 0 && <div className="bad">taken out: {erased.join(', ')}</div>}
      {entered.length > 0 && <div className="soft">entered on this page: {entered.join(', ')}</div>}
      {laterEntries.length > 0 && <div className="soft">told later: {laterEntries.join(', ')}</div>}
      {codes !== undefined && lacking.length === 0 && <span className="good">nothing</span>}
    </>
  );
};
