import { isRight } from 'fp-ts/Either';
import {
  defer,
  filter,
  first,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  share,
  startWith,
  tap,
} from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import { decode } from '../model/decode';
import type { EngineCommand, Transition } from '../model/engineCommands';
import { EngineMessage } from '../model/engineMessages';
import { EngineError } from '../model/errors';
import type { Metric } from '../model/metric';
import type { Report } from '../model/report';
import type { EngineLink } from '../platform/platform';

/** The engine as the page sees it: told what happens, it says who the visitor is. */
export interface EngineStreams {
  /** Bootstrap and replay are done: who the visitor is, the transitions of that, and whether their state was migrated. */
  readonly initialised$: Observable<Said<'initialised'>>;
  /** Memberships: the last page's, then after each change; this page's own from the first mark. */
  readonly cohorts$: Observable<Cohorts>;
  /** Memberships gained and lost, one list per evaluation; of initialisation, what the last page has not told. */
  readonly transitions$: Observable<readonly Transition[]>;
  /** Marks that everything before them has been evaluated. */
  readonly barrierReached$: Observable<string>;
  /** Id of the last event whose effects are stored. */
  readonly saved$: Observable<string>;
  /** What the engine cannot do itself. */
  readonly question$: Observable<Said<'ask'>>;
  /** Third-party segments that cohorts are owed to, all of them at each change. */
  readonly usage$: Observable<Said<'usage'>['usage']>;
  /** What the engine has measured and counted. */
  readonly metrics$: Observable<readonly Metric[]>;
  /** Why the visitor is a member of a cohort or not, in words; null where there is no such cohort. */
  readonly explain: (id: string) => Observable<string | null>;
  /** Passes on what the engine reports. */
  readonly reports$: Observable<never>;
  readonly send: (message: EngineCommand) => void;
}

type Said<Type extends EngineMessage['type']> = Extract<EngineMessage, { type: Type }>;

/** `told`: the cohorts that the visitor was last told to be a member of. */
export const fromEngine = (link: EngineLink, told: () => readonly string[], report: Report): EngineStreams => {
  const answer$ = link.message$.pipe(
    mergeMap((message) => {
      const answer = decode(EngineMessage)(message);
      if (isRight(answer)) return [answer.right];
      report('Invalid message from the engine', answer.left);
      return [];
    }),
    share(),
  );
  const of = <Type extends EngineMessage['type']>(type: Type): Observable<Said<Type>> =>
    answer$.pipe(filter((answer): answer is Said<Type> => answer.type === type));

  let explanations = 0;
  const lastPage: Cohorts = { members: [...told()], activations: {}, isRealtime: false };

  return {
    initialised$: of('initialised'),
    cohorts$: merge(of('initialised'), of('changed'), of('barrierReached')).pipe(
      scan<EngineMessage, Cohorts>(
        (cohorts, answer) =>
          'membership' in answer
            ? { ...answer.membership, isRealtime: cohorts.isRealtime }
            : { ...cohorts, isRealtime: true },
        lastPage,
      ),
      startWith(lastPage),
    ),
    transitions$: merge(
      of('initialised').pipe(map(({ transitions }) => untold(transitions, new Set(told())))),
      of('transitions').pipe(map(({ transitions }) => transitions)),
    ),
    barrierReached$: of('barrierReached').pipe(map(({ name }) => name)),
    saved$: of('saved').pipe(map(({ eventId }) => eventId)),
    question$: of('ask'),
    usage$: of('usage').pipe(map(({ usage }) => usage)),
    metrics$: of('metrics').pipe(map(({ items }) => items)),
    explain: (id) =>
      defer(() => {
        const request = (explanations += 1);
        link.send({ type: 'explain', request, id } satisfies EngineCommand);
        return of('explained').pipe(
          first((answer) => answer.request === request),
          map(({ text }) => text),
        );
      }),
    reports$: of('report').pipe(
      tap(({ message, cause }) => report(message, new EngineError(cause))),
      ignoreElements(),
    ),
    send: (message) => link.send(message),
  };
};

/** The last word on each cohort, where it is news: an event that the last page's engine could not save is evaluated again. */
const untold = (transitions: readonly Transition[], told: ReadonlySet<string>): readonly Transition[] =>
  [...new Map(transitions.map((transition) => [transition.id, transition])).values()].filter(
    ({ id, entry }) => entry !== told.has(id),
  );
