import { mergeMap, type Observable, Observable as Stream, Subject } from 'rxjs';

import { readTrusted } from '../../../src/engine/cohortEngine';
import type { PublishedBundle } from '../../../src/engine/language/canonicalLanguage';
import { askPage } from '../../../src/engineHost/ask';
import { engineHost } from '../../../src/engineHost/engineHost';
import { partsAtHand } from '../../../src/engineHost/partsAtHand';
import { visitStore } from '../../../src/engineHost/visitStore';
import { json } from '../../../src/hardening/plainJson';
import type { EngineCommand, EngineMessage } from '../../../src/model/engineCommands';
import type { EngineLink } from '../../../src/platform/platform';
import { isLive, type Life, newLife, type VirtualClock } from './clock';
import { holding, journalOf, type Origin, storeOf } from './origin';
import type { Use } from './use';

/** Ms that a worker takes to start, and a message takes to the other thread. */
const startMs = 5;
const messageMs = 1;

export interface EngineOptions {
  readonly bundle: PublishedBundle;
  readonly origin: Origin;
  readonly clock: VirtualClock;
  /** The page that opens the engine. */
  readonly page: Life;
  /** The visitor's clock. */
  readonly wall: () => number;
  readonly note: (use: Use) => void;
  readonly report: (message: string, cause?: unknown) => void;
}

/**
 * The real engine host in a worker: a life of its own, within that of the page. What either side posts reaches the
 * other one in a later task, if that one still lives.
 */
export const openEngine = (options: EngineOptions): EngineLink => {
  const { clock, page } = options;
  const worker = newLife(page);
  const told$ = new Subject<EngineCommand>();
  let waiting: EngineCommand[] | undefined = [];
  const send = (message: EngineCommand): void => {
    if (waiting) waiting.push(message);
    else clock.later(worker, messageMs, () => told$.next(message));
  };
  return {
    send,
    message$: new Stream((subscriber) => {
      const post = (message: EngineMessage): void =>
        clock.later(page, messageMs, () => {
          if (isLive(worker)) subscriber.next(message);
        });
      clock.later(worker, startMs, () => {
        hostIn(told$, post, options).subscribe({
          next: post,
          error: (cause: unknown) => options.report('Query Language: engine stopped', cause),
        });
        const early = waiting ?? [];
        waiting = undefined;
        early.forEach((message) => told$.next(message));
      });
      return () => void (worker.state = 'ended');
    }),
  };
};

const hostIn = (
  told$: Observable<EngineCommand>,
  post: (message: EngineMessage) => void,
  { bundle, origin, clock, page, wall, note, report }: EngineOptions,
): Observable<EngineMessage> => {
  const ask = askPage(post, told$);
  const services = () => clock.after(startMs).pipe(mergeMap(() => partsAtHand.services()));
  const load = { ...partsAtHand, services };
  return engineHost(told$, {
    bundle,
    read: readTrusted,
    store: (start) =>
      visitStore(
        storeOf(origin, start.userId, clock, (key) => note({ door: 'store', key, text: '', had: false })),
        start,
        { canExist: true, ask, load, json, now: wall, report },
      ),
    ask,
    load,
    json,
    journal: journalOf(origin, page, clock, () => undefined),
    now: wall,
    random: () => 1,
    yieldThread: () => clock.after(messageMs),
    hold: holding(origin, clock),
    report: (message, cause) => report(message, cause),
  });
};
