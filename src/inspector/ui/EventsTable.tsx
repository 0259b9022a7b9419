import type { ReactElement } from 'react';

import { isRecord } from '../../model/codecs';
import type { LogEntry } from '../../model/logEntry';
import { shortText } from '../shortText';
import { rememberedEvents } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryLink, Table } from './parts';

/** Events that are shown: the latest. */
const maxEvents = 60;
/** Properties that are shown of an event: the first. */
const maxProperties = 3;

/** The latest events of the page, those from before the log began too, and what became of each. */
export const EventsTable = ({
  entries,
  page: { tag },
  onShow,
}: Pick<PanelProps, 'entries' | 'page' | 'onShow'>): ReactElement => {
  const events = rememberedEvents(tag).slice(-maxEvents).reverse();
  if (events.length === 0) return <p className="soft">No event yet.</p>;
  return (
    <Table heads={['Event', 'Properties', 'Answer']}>
      {events.map(({ id, name, time, properties = {} }, i) => {
        const entry = entries.find(({ lane, data }) => lane === 'events' && isRecord(data) && data['id'] === id);
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
            <td>{entry && deliveryOf(id, entries)}</td>
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

/** How the delivery of an event has ended. */
const deliveryOf = (id: unknown, entries: readonly LogEntry[]): string => {
  const delivered = entries.find(({ type, data }) => type === 'delivered' && isRecord(data) && data['id'] === id);
  if (delivered === undefined) return 'none yet';
  return (isRecord(delivered.data) && shortText(delivered.data['error'])) || 'accepted';
};
