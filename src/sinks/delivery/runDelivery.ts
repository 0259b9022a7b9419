import {
  catchError,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  observeOn,
  of,
  queueScheduler,
  take,
  takeUntil,
  timer,
} from 'rxjs';

import { batchTexts } from '../../endpoints/batchTexts';
import { call, type CallDeps } from '../../endpoints/call';
import { type Input, urlOf } from '../../endpoints/endpoint';
import type { Report } from '../../model/report';
import { late } from '../../operators/creators/late';
import { perform } from '../../operators/creators/perform';
import { firstWithin } from '../../operators/firstWithin';
import type { Platform } from '../../platform/platform';
import type { DeliveryCommand, DeliveryInput, DeliveryRequest, DeliveryStep, RequestStep } from './deliveryState';
import { deliveryStep } from './deliveryStep';
import { journalFaults } from './journalFaults';
import { remainingMs } from './pause';
import { listText } from './uploadItem';

/** Time that an operation of the journal gets. This time is longer than the one that the journal gives the disk. */
const journalTimeoutMs = 2000;
/**
 * Time that the code which judges refused batches gets to load. That code is in the deferred chunk, which has loaded
 * long before as a rule. Meanwhile a batch counts as under way.
 */
const judgeMs = 5000;

/** What the delivery waits for beside answers and timers. */
export interface RunDeliveryStreams {
  /** The network has come back. */
  readonly online$: Observable<unknown>;
  /** Loads `refusalStep`. Cold; emits once, or completes without a value where its code could not be loaded. */
  readonly loadJudge$: Observable<RequestStep>;
}

/** Requests, journal, clock, randomness and reports of the delivery. */
export interface RunDeliveryDeps extends RunDeliveryStreams, CallDeps, Pick<Platform, 'journal' | 'random' | 'now'> {
  readonly attempt: Attempt;
  readonly report: Report;
}

/**
 * Runs the delivery: emits a step for each input, then carries its commands out. What the requests, timers and the
 * journal answer are inputs too. Is subscribed once, because its steps use the first state up. Never errors, unless
 * `input$` does.
 */
export const runDelivery = (input$: Observable<DeliveryInput>, first: DeliveryStep['state'], deps: RunDeliveryDeps) =>
  defer(() => {
    let state = first;
    const judge$ = late(deps.loadJudge$.pipe(map((made) => () => made))).value$;
    const obey = obeyer({ ...deps, loadJudge$: judge$ });
    const turn = (input: DeliveryInput): Observable<DeliveryStep> => {
      const step = deliveryStep(state, input, { now: deps.now(), random: deps.random() });
      ({ state } = step);
      // queueScheduler: one turn ends before the next one begins.
      return merge(of(step), merge(...step.commands.map(obey)).pipe(observeOn(queueScheduler), mergeMap(turn)));
    };
    // The rest of the pause that the page before has left.
    const { pause } = first;
    const wait$ = pause ? obey({ type: 'wait', ms: remainingMs(pause, deps.now()), pause }) : EMPTY;
    return merge(input$, wait$).pipe(mergeMap(turn));
  });

/** Carries one command out; emits what it leads to. */
const obeyer =
  (deps: RunDeliveryDeps) =>
  (command: DeliveryCommand): Observable<DeliveryInput> => {
    switch (command.type) {
      case 'write':
        return deps.attempt(() => deps.journal.write(command.changes, command.isUnloading)).pipe(ignoreElements());
      case 'send':
        return sent(command.request, deps);
      case 'beacon':
        return perform(() => beacon(command.request, deps));
      case 'judge':
        return concat(deps.loadJudge$.pipe(takeUntil(timer(judgeMs))), of(undefined)).pipe(
          take(1),
          map((judge) => ({ type: 'judged', request: command.request, judge })),
        );
      case 'later':
        return timer(command.ms).pipe(map(() => command.input));
      case 'wait': {
        const { pause, ms } = command;
        // The network's return does not shorten a pause that the server has asked for. A timer emits 0.
        return merge(timer(ms), pause.asked ? EMPTY : deps.online$).pipe(
          take(1),
          map((signal) => ({ type: 'waited', pause, isOnline: signal !== 0 })),
        );
      }
      case 'report':
        return perform(() => deps.report(command.message, command.cause));
      case 'settle':
      case 'count':
        return EMPTY;
    }
  };

/** Sends a request, and tells its end. */
const sent = (request: DeliveryRequest, deps: CallDeps): Observable<DeliveryInput> => {
  const { number, keepalive } = request;
  return call(batchTexts, inputOf(request), deps, { keepalive }).pipe(
    map((results): DeliveryInput => ({ type: 'answered', request: number, results })),
    catchError((error: unknown) => of<DeliveryInput>({ type: 'failed', request: number, error })),
  );
};

/** Hands a request to the browser as a beacon. The browser sends it at a time of its own, and there is no answer. */
const beacon = (request: DeliveryRequest, { http, setting }: CallDeps): void =>
  void http.beacon(urlOf(batchTexts, inputOf(request), setting), listText(request.items));

/** The input of the call for a request. The flags of its events are in the query. */
const inputOf = ({ items, flags }: DeliveryRequest): Input<string> => ({
  query: [
    ['enrich', String(flags.enrich)],
    ['sdkp', String(flags.sdkProcessed)],
  ],
  body: listText(items),
});

/**
 * Runs operations of one journal. An operation completes without a value where it fails or hangs; only the first such
 * failure is reported.
 */
export const attempts = (report: Report) => {
  const onFault = journalFaults(report);
  return <A>(operation: () => Observable<A>): Observable<A> =>
    defer(operation).pipe(
      firstWithin(journalTimeoutMs),
      catchError((cause: unknown) => {
        onFault(cause);
        return EMPTY;
      }),
    );
};
export type Attempt = ReturnType<typeof attempts>;
