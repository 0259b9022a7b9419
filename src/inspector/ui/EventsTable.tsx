import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import type { LogEntry } from '../logEntry';
import { isLost } from '../requests';
import { shortText } from '../shortText';
import { rememberedEvents } from './pageReads';
import { EntryLink, Table, usePanel } from './parts';

/** Events that are shown: the latest. */
const maxEventRows = 60;
/** Properties that are shown of an event: the first. */
const maxProperties = 3;

/** The latest events of the page, those from before the log began too, and what became of each. */
export const EventsTable = (): ReactElement => {
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
