import type { ReactElement } from 'react';

import type { AdRequestRow } from '../adRequests/adRequest';
import { adRequestsOnPage } from '../adRequests/seenOnPage';
import { Table, usePanel } from './parts';

/** Requests that are shown: the first, which are those that come before the SDK. */
const maxAdRequests = 100;

/** Each request of the page for an ad: when it began, which cohort codes it carried, and which it lacked. */
export const AdRequestsPanel = (): ReactElement => {
  const rows = adRequestsOnPage(usePanel().page).slice(0, maxAdRequests);
  if (rows.length === 0) return <p className="soft">The page has made no ad request that can be seen.</p>;
  const lacking = rows.filter(({ missing }) => missing.length > 0).length;
  return (
    <>
      <p className={lacking > 0 ? 'bad' : ''}>
        {lacking === 0
          ? 'Each request that can be read had all codes that the last page has stored.'
          : `${lacking} of ${rows.length} requests lacked codes that the last page has stored.`}
      </p>
      <Table heads={['Slot', 'Bidder', 'When', 'Codes', 'Missing']} rows={rows.map(adRequestCells)} />
    </>
  );
};

const adRequestCells = ({ bidder, slot, at, codes, missing, entered, isFirst }: AdRequestRow, i: number) =>
  [
    i,
    <>
      {slot || <span className="soft">not said</span>}
      {slot && !isFirst && <span className="soft"> again</span>}
    </>,
    bidder,
    <span className="whole">{Math.round(at)} ms</span>,
    codes === undefined ? (
      <span className="soft">in its body, which a page cannot read: run npm run companion</span>
    ) : (
      codes.join(', ') || <span className="soft">none</span>
    ),
    <>
      {missing.length > 0 && <span className="bad">{missing.join(', ')}</span>}
      {entered.length > 0 && <div className="soft">entered on this page: {entered.join(', ')}</div>}
      {codes !== undefined && missing.length + entered.length === 0 && <span className="good">nothing</span>}
    </>,
  ] as const;
