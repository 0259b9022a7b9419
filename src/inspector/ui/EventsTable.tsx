import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import type { LogEntry } from '../logEntry';
import { shortText } from '../shortText';
import { rememberedEvents } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryLink, Table } from './parts';

/** Events that are shown: the latest. */
const maxEventRows = 60;
/** Properties that are shown of an event: the first. */
const maxProperties = 3;

/** The latest events of the page, those from before the log began too, and what became of each. */
export const EventsTable = ({
  entries,
  page: { tag },
  onShow,
}: Pick<PanelProps, 'entries' | 'page' | 'onShow'>): ReactElement => {
  const events = rememberedEvents(tag).slice(-maxEventRows).reverse();
  if (events.length === 0) return <p className="soft">No event yet.</p>;
  const noted = byEvent(entries.filter(({ lane }) => lane === 'events'));
  const delivered = byEvent(entries.filter(({ type }) => type === 'delivered'));
  return (
    <Table heads={['Event', 'Properties', 'Answer']}>
      {events.map(({ id, name, time, properties = {} }, i) => {
        const entry = noted.get(id);
        return (
          <tr key={id ?? `${time} ${i}`}>
            <td>
              {entry === undefined ? (
                <>
                  {name} <span className="soft">{new Date(time).toLocaleTimeString('en-GB')}</span>
                </>
              ) : (
                <EntryLink entry={entry} onShow={onShow}>
                  {name}
                </EntryLink>
              )}
            </td>
            <td className="soft">{propertyWords(properties)}</td>
            <td className="whole">{entry && <DeliveryEnd delivered={delivered.get(id)} />}</td>
          </tr>
        );
      })}
    </Table>
  );
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
const DeliveryEnd = ({ delivered }: { readonly delivered: LogEntry | undefined }): ReactElement => {
  if (delivered === undefined) return <span className="soft">none yet</span>;
  const isLost = isRecord(delivered.data) && 'error' in delivered.data;
  return isLost ? <span className="bad">given up</span> : <>accepted</>;
};
