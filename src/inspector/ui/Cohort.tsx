import { useObservable, useObservableState } from 'observable-hooks';
import type { ReactElement } from 'react';
import { catchError, EMPTY, startWith } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { Cohorts } from '../../model/cohorts';
import type { CohortExplanation } from '../../model/explanation';
import type { DeferredParts } from '../../visit/world';
import { type RouteInput, routesOf } from '../activationRoute';
import { askExplanation } from '../askExplanation';
import type { CohortView } from '../cohortList';
import type { InspectedPage } from '../inspectedPage';
import type { LogEntry } from '../logEntry';
import { shortText } from '../shortText';
import { Clauses } from './Clauses';
import { appnexusCodes, bidRequests, googleCodes, slotCodes, storedJson } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryList, timeText } from './parts';

interface CohortProps extends Pick<PanelProps, 'page' | 'entries' | 'defined' | 'onShow'> {
  readonly view: CohortView;
  readonly cohorts: Cohorts;
  /** Shows another cohort. */
  readonly onChoose: (id: string) => void;
}

/** One cohort: why, where it goes, and when the visitor came and went. */
export const Cohort = (props: CohortProps): ReactElement => {
  const { view, entries, onShow } = props;
  const moves = entries.filter(
    ({ lane, data }) => lane === 'transitions' && isRecord(data) && shortText(data['id']) === view.id,
  );
  return (
    <section aria-label={`Cohort ${view.id}`} data-cohort={view.id}>
      <h2>
        {view.name} <span className="soft">{[view.id, view.code].filter((text) => text !== '').join(' · ')}</span>
      </h2>
      <Why {...props} />
      <h2>Ways to partners</h2>
      <Routes {...props} />
      <h2>Entries and exits in this log</h2>
      <EntryList entries={moves} onShow={onShow} none="None." />
    </section>
  );
};

const Why = ({ view, page, entries, defined, onShow, onChoose }: CohortProps): ReactElement => {
  const explained$ = useObservable(() => askExplanation(view.id, page.world.calls).pipe(startWith(undefined)));
  const explained = useObservableState(explained$, undefined);
  if (explained === undefined) return <p className="soft">Asking the engine</p>;
  const { query, reasons } = explained ?? { query: null, reasons: [] };
  return (
    <>
      <p className={view.isMember ? 'good' : ''}>
        {view.isMember ? 'The visitor is in this cohort.' : 'The visitor is not in this cohort.'}
      </p>
      {explained === null && <p>Nobody can say why: there is no consent, or the engine does not run.</p>}
      {query !== null && (
        <>
          <Outlook query={query} />
          <Clauses clause={query.clause} {...{ entries, defined, onShow, onChoose }} />
        </>
      )}
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {explained !== null && query === null && reasons.length === 0 && (
        <p>No query of this page and no service has said anything of it.</p>
      )}
    </>
  );
};

/** What would change the result, and when. */
const Outlook = ({
  query: { result, held, failed, changesAt, flip },
}: {
  readonly query: CohortExplanation;
}): ReactElement => {
  const verb = result ? 'Leaves' : 'Enters';
  return (
    <>
      {failed && <p className="bad">The query has failed on this page. The last result stands.</p>}
      {held && <p className="bad">Data is pending. The last result stands.</p>}
      {changesAt !== undefined && (
        <p>
          <strong>{verb}</strong> on {timeText(changesAt)} if nothing happens.
        </p>
      )}
      {flip !== null && (
        <p>
          <strong>{verb}</strong> with {flip}.
        </p>
      )}
      {flip === null && changesAt === undefined && <p>Nothing that happens changes that.</p>}
    </>
  );
};

const Routes = ({ view, cohorts, page, entries }: CohortProps): ReactElement => {
  const parts$ = useObservable(() =>
    // Where they do not load, that has been reported.
    page.world.deferredParts$.pipe(catchError(() => EMPTY)),
  );
  const parts = useObservableState<DeferredParts | undefined>(parts$, undefined);
  const routes = routesOf(view.id, routeInput({ cohorts, page, entries }, parts));
  if (routes.length === 0) return <p className="soft">The project gives this cohort to no partner.</p>;
  return (
    <>
      {routes.map(({ partner, steps }) => (
        <div key={partner}>
          <h3>{partner}</h3>
          <ol>
            {steps.map(({ what, state, reason }) => (
              <li key={what} className={classOf[state]}>
                {what}
                {state === 'broken' && <>: not so, the way ends here. {sentence(reason)}</>}
                {state === 'unseen' && <>: cannot be seen, {reason}</>}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </>
  );
};

const classOf = { holds: 'good', broken: 'bad', after: 'soft', unseen: 'soft' } as const;

const sentence = (words: string): string => (words === '' ? '' : `${words[0]?.toUpperCase()}${words.slice(1)}.`);

const routeInput = (
  { cohorts, page, entries }: Pick<CohortProps, 'cohorts' | 'page' | 'entries'>,
  parts: DeferredParts | undefined,
): RouteInput => {
  const { world, tag } = page;
  return {
    cohorts,
    project: world.project,
    activations: { ...world.project.activations, ...parts?.activations },
    context: criteriaContext(tag),
    meets: parts?.meets ?? (() => true),
    arrived: {
      readKey: storedJson(world),
      googleCodes: googleCodes(world.page),
      slotCodes: slotCodes(world.page),
      adRequests: codesOfAdRequests(entries),
      appnexusCodes: appnexusCodes(world.page),
      bidRequests: bidRequests(world.page),
    },
  };
};

/** What context criteria are compared with, of the public object's context. */
const criteriaContext = ({ context }: InspectedPage['tag']): Readonly<Record<string, unknown>> => {
  const { client } = (context ?? {}) as { readonly client?: object };
  return { ...client };
};

const codesOfAdRequests = (entries: readonly LogEntry[]): readonly (readonly string[])[] =>
  entries.flatMap(({ lane, type, data }) => {
    const properties = lane === 'events' && type === 'AdRequest' && isRecord(data) ? data['properties'] : undefined;
    const codes = isRecord(properties) ? properties['cohorts'] : undefined;
    return Array.isArray(codes) ? [codes.map(String)] : [];
  });
