import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import { deliveryCounts, requestsIn, type RequestView } from '../requests';
import { shortText } from '../shortText';
import { EventsTable } from './EventsTable';
import { storedJson } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryLink, EntryList, Pair, Table } from './parts';

/** Requests that are shown: the latest. */
const maxRequests = 60;

/** Each request with its answer, pauses, what could not be read of answers, and the last events. */
export const DeliveryPanel = (props: PanelProps): ReactElement => {
  const { entries, page, onShow } = props;
  const { world } = page;
  const { made, accepted, lost } = deliveryCounts(entries);
  const state = storedJson(world)(world.setting('stateNamespace'));
  const upload = isRecord(state) && isRecord(state['eventPublication']) ? state['eventPublication'] : {};
  return (
    <>
      <dl>
        <Pair name="Events made">{made}</Pair>
        <Pair name="Accepted by the server">{accepted}</Pair>
        <Pair name="Given up">
          <span className={lost > 0 ? 'bad' : ''}>{lost}</span>
        </Pair>
        <Pair name="Pause">{upload['pause'] ? JSON.stringify(upload['pause']) : 'none'}</Pair>
      </dl>
      <div className="columns">
        <section>
          <h2>Requests</h2>
          <Table heads={['Request', 'Events', 'Answer']}>
            {requestsIn(entries)
              .slice(0, maxRequests)
              .map((request) => (
                <tr key={request.id}>
                  <td>
                    <EntryLink entry={request} onShow={onShow}>
                      {request.method} {request.url}
                    </EntryLink>
                  </td>
                  <td>{request.events ?? ''}</td>
                  <td className={(request.status ?? 0) >= 400 ? 'bad whole' : 'whole'}>{statusText(request)}</td>
                </tr>
              ))}
          </Table>
          <h2>Errors</h2>
          <EntryList
            entries={entries.filter(({ lane }) => lane === 'errors')}
            none="None in this log."
            className="plain"
            nameOf={({ data }) => shortText(isRecord(data) ? data['message'] : undefined)}
            wordsOf={({ data }) => shortText(isRecord(data) ? data['cause'] : undefined)}
            onShow={onShow}
          />
        </section>
        <section>
          <h2>Last events</h2>
          <EventsTable {...props} />
        </section>
      </div>
    </>
  );
};

const statusText = ({ status, tookMs }: RequestView): string =>
  status === null ? 'none yet' : `${status} after ${Math.round(tookMs ?? 0)} ms`;
