import type { ReactElement } from 'react';
import { catchError, EMPTY, startWith } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { Cohorts } from '../../model/cohorts';
import { type CohortExplanation, waitingText } from '../../model/explanation';
import { routesOf } from '../activationRoute';
import { askExplanation } from '../askExplanation';
import type { CohortView } from '../cohortList';
import { shortText } from '../shortText';
import { visitorGroup } from '../visitorGroup';
import { Clauses } from './Clauses';
import { arrivedOn } from './pageReads';
import { EntryList, timeText, useLatest, usePanel } from './parts';

interface CohortProps {
  readonly view: CohortView;
  readonly cohorts: Cohorts;
  /** Shows another cohort. */
  readonly onChoose: (id: string) => void;
}

/** One cohort: why, where it goes, and when the visitor came and went. */
export const Cohort = (props: CohortProps): ReactElement => {
  const { id, name, code } = props.view;
  const moves = usePanel().entries.filter(
    ({ lane, data }) => lane === 'transitions' && isRecord(data) && shortText(data['id']) === id,
  );
  return (
    <section aria-label={`Cohort ${id}`} data-cohort={id}>
      <h2>
        {name} <span className="soft">{[id, code].filter((text) => text !== '').join(' · ')}</span>
      </h2>
      <Why {...props} />
      <h2>Ways to partners</h2>
      <Routes {...props} />
      <h2>Entries and exits in this log</h2>
      <EntryList entries={moves} none="None." />
    </section>
  );
};

const Why = ({ view: { id, isMember }, onChoose }: CohortProps): ReactElement => {
  const { page } = usePanel();
  const explained = useLatest(() => askExplanation(id, page.world.calls).pipe(startWith(undefined)), []);
  if (explained === undefined) return <p className="soft">Asking the engine</p>;
  const { query = null, reasons = [], isAnswered = false, notice = null } = explained ?? {};
  const waiting = explained && waitingText(explained.waiting);
  return (
    <>
      <p className={isMember ? 'good' : ''}>
        {isMember ? 'The visitor is in this cohort.' : 'The visitor is not in this cohort.'}
      </p>
      {!isAnswered && <p>Nobody can say why: there is no consent, or the engine does not run.</p>}
      {notice !== null && <p className="bad">{notice}</p>}
      {waiting !== null && <p className="bad">{waiting}</p>}
      {query !== null && (
        <>
          <Outlook {...query} />
          <Clauses clause={query.clause} onChoose={onChoose} />
        </>
      )}
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {isAnswered && notice === null && query === null && reasons.length === 0 && (
        <p>No query of this page and no service has said anything of it.</p>
      )}
    </>
  );
};

/** What would change the result, and when. */
const Outlook = ({ result, held, failed, changesAt, flip }: CohortExplanation): ReactElement => {
  const verb = <strong>{result ? 'Leaves' : 'Enters'}</strong>;
  return (
    <>
      {failed && <p className="bad">The query has failed on this page. The last result stands.</p>}
      {held && <p className="bad">Data is pending. The last result stands.</p>}
      {changesAt !== undefined && (
        <p>
          {verb} on {timeText(changesAt)} if nothing happens.
        </p>
      )}
      {flip !== null && (
        <p>
          {verb} with {flip}.
        </p>
      )}
      {flip === null && changesAt === undefined && <p>Nothing that happens changes that.</p>}
    </>
  );
};

const Routes = ({ view, cohorts }: CohortProps): ReactElement => {
  const { page, entries } = usePanel();
  const { project, deferredParts$ } = page.world;
  // Where they do not load, that has been reported.
  const parts = useLatest(() => deferredParts$.pipe(catchError(() => EMPTY)), []);
  const { client } = (page.tag['context'] ?? {}) as { readonly client?: object };
  const routes = routesOf(view.id, {
    cohorts,
    group: visitorGroup(page, view.id),
    project,
    activations: { ...project.activations, ...parts?.activations },
    context: { ...client },
    meets: parts?.meets ?? (() => true),
    arrived: arrivedOn(page.world, entries),
  });
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
