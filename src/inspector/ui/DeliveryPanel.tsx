import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import type { LogEntry } from '../logEntry';
import { deliveryCounts, requestsIn, type RequestView } from '../requests';
import { shortText } from '../shortText';
import { EventsTable } from './EventsTable';
import { storedJson } from './pageReads';
import { EntryLink, EntryList, Pairs, Table, usePanel } from './parts';

/** Requests that are shown: the latest. */
const maxRequests = 60;

/** Each request with its answer, pauses, what could not be read of answers, and the last events. */
export const DeliveryPanel = (): ReactElement => {
  const { entries, page } = usePanel();
  const { world } = page;
  const { made, accepted, lost } = deliveryCounts(entries);
  const state = storedJson(world)(world.setting('stateNamespace'));
  const upload = isRecord(state) && isRecord(state['eventPublication']) ? state['eventPublication'] : {};
  return (
    <>
      <Pairs
        of={[
          ['Events made', made],
          ['Accepted by the server', accepted],
          ['Given up', <span className={lost > 0 ? 'bad' : ''}>{lost}</span>],
          ['Pause', upload['pause'] ? JSON.stringify(upload['pause']) : 'none'],
        ]}
      />
      <div className="columns">
        <section>
          <h2>Requests</h2>
          <Table heads={['Request', 'Events', 'Answer']} rows={requestsIn(entries).slice(0, maxRequests).map(rowOf)} />
          <h2>Errors</h2>
          <EntryList
            entries={entries.filter(({ lane }) => lane === 'errors')}
            none="None in this log."
            className="plain"
            nameOf={textIn('message')}
            wordsOf={textIn('cause')}
          />
        </section>
        <section>
          <h2>Last events</h2>
          <EventsTable />
        </section>
      </div>
    </>
  );
};

const rowOf = (request: RequestView) => {
  const { id, method, url, events, status, tookMs } = request;
  return [
    id,
    <EntryLink entry={request}>
      {method} {url}
    </EntryLink>,
    events,
    <span className={(status ?? 0) >= 400 ? 'bad whole' : 'whole'}>
      {status === null ? 'none yet' : `${status} after ${Math.round(tookMs ?? 0)} ms`}
    </span>,
  ] as const;
};

const textIn =
  (field: string) =>
  ({ data }: LogEntry): string =>
    shortText(isRecord(data) ? data[field] : undefined);
