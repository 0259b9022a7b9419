import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import type { LogEntry } from '../logEntry';
import { deliveryCounts, isLost, requestsIn, type RequestView } from '../requests';
import { shortText } from '../shortText';
import { rememberedEvents, storedJson } from './pageReads';
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
          <Table
            heads={['Request', 'Events', 'Answer']}
            rows={requestsIn(entries).slice(0, maxRequests).map(requestCells)}
          />
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

const requestCells = (request: RequestView) => {
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

/** Events that are shown: the latest. */
const maxEventRows = 60;
/** Properties that are shown of an event: the first. */
const maxProperties = 3;

/** The latest events of the page, those from before the log began too, and what became of each. */
const EventsTable = (): ReactElement => {
  const { entries, page } = usePanel();
  const events = rememberedEvents(page.tag).slice(-maxEventRows).reverse();
  if (events.length === 0) return <p className="soft">No event yet.</p>;
  const noted = byEvent(entries.filter(({ lane }) => lane === 'events'));
  const delivered = byEvent(entries.filter(({ type }) => type === 'delivered'));
  const rows = events.map(({ id, name, time, properties = {} }, i) => {
    const entry = noted.get(id);
    return [
      id ?? `${time} ${i}`,
      <>
        <EntryLink entry={entry}>{name}</EntryLink>
        {entry === undefined && <span className="soft"> {new Date(time).toLocaleTimeString('en-GB')}</span>}
      </>,
      <span className="soft">{propertyWords(properties)}</span>,
      entry && deliveryEnd(delivered.get(id)),
    ] as const;
  });
  return <Table heads={['Event', 'Properties', 'Answer']} rows={rows} />;
};

const propertyWords = (properties: Readonly<Record<string, unknown>>): string =>
  Object.entries(properties)
    .map(([name, value]) => [name, shortText(value)] as const)
    .filter(([, text]) => text !== '')
    .slice(0, maxProperties)
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');

/** Entries by the id of the event that they are about. */
const byEvent = (entries: readonly LogEntry[]): ReadonlyMap<unknown, LogEntry> =>
  new Map(entries.map((entry) => [isRecord(entry.data) ? entry.data['id'] : undefined, entry]));

/** How the delivery of an event has ended. */
const deliveryEnd = (delivered: LogEntry | undefined): ReactElement => {
  if (delivered === undefined) return <span className="soft whole">none yet</span>;
  return isLost(delivered) ? <span className="bad whole">given up</span> : <>accepted</>;
};
