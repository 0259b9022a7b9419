import { defer, merge, mergeMap, type Observable, of, ReplaySubject } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { EngineCommand, EngineMessage } from '../../model/engineCommands';
import type { EngineLink } from '../../platform/platform';
import { memoryEngine, type MemoryEngineDeps } from './memoryEngine';

export interface ReplayEngineDeps extends Omit<MemoryEngineDeps, 'yieldThread'> {
  /** The messages that the recorded engine has sent, each at its time. */
  readonly recorded$: Observable<unknown>;
  /** How many messages of that type the recorded engine has sent in all. */
  readonly expected: (type: string) => number;
}

/**
 * The real engine, on the page. The engine evaluates at once what it is told; each of its messages is held until the
 * time at which the recorded engine has sent its message of that type and number. `start` is called when the engine
 * starts.
 */
export const replayEngine = (start: () => ReplayEngineDeps): EngineLink => {
  const told$ = new ReplaySubject<EngineCommand>(Infinity);
  return {
    message$: defer(() => {
      const deps = start();
      return whenRecorded(memoryEngine(told$, { ...deps, yieldThread: () => of(undefined) }), deps);
    }),
    send: (command) => told$.next(command),
  };
};

/**
 * Holds each message until the recorded one of its type and number. One that the recorded engine did not send comes
 * with the next one that it did send. Without a next one it is left out: the recording has probably ended before it.
 */
const whenRecorded = (
  message$: Observable<EngineMessage>,
  { recorded$, expected }: Pick<ReplayEngineDeps, 'recorded$' | 'expected'>,
): Observable<EngineMessage> =>
  defer(() => {
    // The order of both lists is that of the engine.
    let held: readonly Numbered[] = [];
    let due: readonly string[] = [];
    const sent = new Map<string, number>();
    const release = (type: string): readonly EngineMessage[] => {
      const at = held.findIndex((one) => one.message.type === type);
      if (at === -1) {
        due = [...due, type];
        return [];
      }
      const released = held.filter(({ isExpected }, i) => i === at || (i < at && !isExpected));
      held = held.filter((one) => !released.includes(one));
      return released.map(({ message }) => message);
    };
    return merge(
      recorded$.pipe(mergeMap((recorded) => release(isRecord(recorded) ? String(recorded['type']) : ''))),
      message$.pipe(
        mergeMap((message) => {
          const { type } = message;
          const number = (sent.get(type) ?? 0) + 1;
          sent.set(type, number);
          if (due.includes(type)) {
            due = due.filter((_, i) => i !== due.indexOf(type));
            return [message];
          }
          held = [...held, { message, isExpected: number <= expected(type) }];
          return [];
        }),
      ),
    );
  });

interface Numbered {
  readonly message: EngineMessage;
  /** The recorded engine has sent a message of this type and number. */
  readonly isExpected: boolean;
}
