import { defer, filter, ignoreElements, map, merge, type Observable, scan, startWith, Subject, take, tap } from 'rxjs';

import { DecodeError, readAs } from '../codecs/codecs';
import type { Cohorts } from '../model/cohorts';
import type { EngineCommand, Explained, Transition, Unread } from '../model/engineCommands';
import { type EngineMessage, MessageCodec } from '../model/engineMessages';
import { EngineError, NetworkError } from '../model/errors';
import type { NumberedEvent } from '../model/event';
import type { Report } from '../model/report';
import type { EngineLink } from '../platform/platform';

/** The message of one type. */
type Said<Type extends EngineMessage['type']> = Extract<EngineMessage, { type: Type }>;

/**
 * Sorts the messages of a link by kind. `told`: the cohorts that were last published for the visitor. A message that
 * does not decode is reported and skipped.
 */
export const fromEngine = (link: EngineLink, told: () => readonly string[], report: Report) => {
  // eslint-disable-next-line no-restricted-syntax -- the engine's messages are held until its readers listen
  const answer$ = new Subject<EngineMessage>();
  const pass = (message: unknown): void => {
    const answer = readAs(MessageCodec, message);
    if (answer instanceof DecodeError) report('Invalid message from the engine', answer);
    else {
      if (answer.type === 'unread') unread = answer;
      if (answer.type === 'initialised') unread = undefined;
      answer$.next(answer);
    }
  };
  const of = <Type extends EngineMessage['type']>(type: Type): Observable<Said<Type>> =>
    answer$.pipe(filter((answer): answer is Said<Type> => answer.type === type));

  let explanations = 0;
  let unread: Unread | undefined;
  const lastPage: Cohorts = { members: [...told()], activations: {}, isRealtime: false };

  return {
    /** Runs the engine while subscribed. */
    start$: link.message$.pipe(tap(pass), ignoreElements()),
    /** Emits once for each engine: the stored state is loaded and past events are replayed. */
    initialised$: of('initialised'),
    /** Emits `initialised`, or before it that the visitor's history could not be read yet. */
    ready$: merge(of('initialised'), of('unread')),
    /**
     * The visitor's cohorts. A subscriber first gets those of the last page, then those of this page after each change.
     * `isRealtime` is true from the first barrier on.
     */
    cohorts$: merge(of('initialised'), of('changed'), of('barrierReached')).pipe(
      scan<EngineMessage, Cohorts>(
        (cohorts, answer) =>
          answer.type === 'initialised' || answer.type === 'changed'
            ? { ...answer.membership, isRealtime: cohorts.isRealtime }
            : { ...cohorts, isRealtime: true },
        lastPage,
      ),
      startWith(lastPage),
    ),
    /** Memberships gained and lost, one list per evaluation. No page has told them before. */
    transitions$: merge(
      of('initialised').pipe(map((answer) => untold(answer, new Set(told())))),
      of('transitions').pipe(map(({ transitions }) => transitions)),
    ),
    /** The name of each barrier that the engine has reached: everything that was sent before it has been evaluated. */
    barrierReached$: of('barrierReached').pipe(map(({ name }) => name)),
    /** Of each page, the number of an event: the stored state contains that event, and all before it of its page. */
    saved$: of('saved').pipe(map(({ until }) => until)),
    /** Questions that the page must answer. */
    question$: of('ask'),
    /** All third-party segments that made cohorts true, at each change. */
    usage$: of('usage').pipe(map(({ usage }) => usage)),
    /** When cohorts of the visitor end by themselves, at each change of that. */
    ends$: of('ends').pipe(map(({ ends }) => ends)),
    /** Emits where the lookalike models have changed, once the engine has them. */
    models$: of('models'),
    /** What the engine's host has measured since the last list, where someone listens before the host starts. */
    metrics$: of('metrics').pipe(map(({ items }) => items)),
    /**
     * Asks why the visitor is a member of a cohort or not, and which of the events that are `left` in the journal the
     * engine has not counted. Cold; one answer, which tells so while the visitor's history is unknown.
     */
    explain: (id: string, left: readonly NumberedEvent[]): Observable<Explained | Unread> =>
      defer(() => {
        // Numbered, because answers to several questions may be under way.
        const request = (explanations += 1);
        link.send({ type: 'explain', request, id, left });
        return merge(
          of('explained').pipe(filter((answer) => answer.request === request)),
          // Nobody waits for the engine, which answers once the history is known.
          unread ? [unread] : of('unread'),
        ).pipe(take(1));
      }),
    /** Passes the engine's reports on to `report` while subscribed. */
    reports$: of('report').pipe(
      tap(({ message, cause, kind }) =>
        report(message, kind === 'failed' || kind === 'timeout' ? new NetworkError(kind) : new EngineError(cause)),
      ),
      ignoreElements(),
    ),
    /** Sends a message to the engine. Messages before its start are kept for it. */
    send: (message: EngineCommand): void => link.send(message),
  };
};

/**
 * The engine's messages as streams, one for each kind. The streams are silent until `start$` is subscribed to. All are
 * hot, except for `cohorts$` and `explain`.
 */
export type EngineStreams = ReturnType<typeof fromEngine>;

/**
 * The transitions of initialisation that no page has told. Where the engine does not know, those that differ from the
 * cohorts of the last page. A transition comes twice where the last page left before its engine could save an event,
 * because this page evaluates that event again.
 */
const untold = (
  { transitions, mayBeTold = false }: Said<'initialised'>,
  told: ReadonlySet<string>,
): readonly Transition[] => transitions.filter(({ id, entry }) => !mayBeTold || entry !== told.has(id));
