import { concat, defer, ignoreElements, tap } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { EngineLink } from '../../platform/platform';
import { causesOfCommand, causesOfMessage, linkMessage, linkTold } from '../causes';
import type { LogLine } from '../logEntry';
import { replayEngine } from '../replay/replayEngine';
import { visitorClock } from './clockDoor';
import type { Door, ReplayDeps, WatchDeps } from './door';

/** The engine: what it is told and says, and what its store holds, which is read before the engine starts. */
export const engineDoor: Door<() => EngineLink> = {
  watched: (open, deps) => () => watchedEngine(open(), deps),
  replayed: (_, deps) => replayedEngines(deps),
};

const watchedEngine = ({ message$, send }: EngineLink, { log, recorder, stored }: WatchDeps): EngineLink => {
  let userId = '';
  return {
    message$: concat(
      defer(() => stored(userId)).pipe(
        tap((texts) => log.note({ lane: 'door', type: 'store', data: texts })),
        ignoreElements(),
      ),
      recorder.hear('engine', message$, {
        lane: 'engine',
        causesOf: (message) => causesOfMessage(message, log),
        onNoted: (message, id) => linkMessage(message, id, log),
      }),
    ),
    send: (message) => {
      const command = message;
      if (command.type === 'start') ({ userId } = command);
      const id = log.note({
        lane: 'engine',
        type: `to ${command.type}`,
        data: command.type === 'track' ? { event: command.event.id } : null,
        ...causesOfCommand(command, log),
      });
      if (command.type === 'track') linkTold(command.event, id, log);
      send(message);
    },
  };
};

/** Opens the real engine, each time with what the store held at that time. */
const replayedEngines = (deps: ReplayDeps): (() => EngineLink) => {
  const { engine, playback, world } = deps;
  const { lines } = deps.log;
  const stores = lines.filter(({ type }) => type === 'store').map(({ data }) => data as Record<string, string>);
  let started = 0;
  return () =>
    // An engine counts from its start: a visit may end before its engine has started.
    replayEngine(() => {
      const n = (started += 1);
      const sent = lines.filter(({ type, data }) => type === 'engine' && isRecord(data) && data['n'] === n);
      return {
        engine,
        json: world.json,
        report: world.report,
        now: visitorClock(deps),
        stored: stores[n - 1] ?? {},
        recorded$: playback.hear('engine'),
        expected: (type) => sent.filter((line) => typeOf(line) === type).length,
      };
    });
};

/** The type of a message of the engine that was noted. */
const typeOf = ({ data }: LogLine): unknown =>
  isRecord(data) && isRecord(data['value']) ? data['value']['type'] : undefined;
