import { concat, defer, ignoreElements, map, type Observable, tap } from 'rxjs';

import type { PublicCalls } from '../api/publicCalls';
import { messageOf } from '../model/errors';
import type { Json } from '../model/json';
import type { EngineLink, Listen } from '../platform/platform';
import type { World } from '../visit/world';
import { causesOfCommand, causesOfMessage, linkMessage, linkTold } from './causes';
import type { Log } from './log';
import type { Recorder } from './recorder';
import { domSignal, signalLane } from './signals';
import { watchedHttp } from './watchedHttp';
import { watchedAddon, watchedParts } from './watchedParts';
import { watchedReads } from './watchedReads';

export interface WatchDeps {
  readonly log: Log;
  readonly recorder: Recorder;
  readonly json: Json;
  /**
   * What an engine of this user will find in its store: texts by key. Cold; emits once, or completes where the store
   * cannot be read.
   */
  readonly stored: (userId: string) => Observable<Readonly<Record<string, string>>>;
}

/**
 * The same world, with everything noted that goes through it: what the SDK takes from the browser and the page, and
 * what it does there. Nothing else changes, but that an engine starts after its store was read for the log.
 */
export const watchedWorld = (world: World, deps: WatchDeps): World => {
  const { log, recorder } = deps;
  const { hear } = recorder;
  const effect = (type: string, data: unknown): void => void log.note({ lane: 'effects', type, data });
  return {
    ...world,
    ...watchedReads(world, deps),
    http: watchedHttp(world.http, deps),
    listen: watchedListen(world.listen, recorder),
    tabs: {
      message$: hear('tabs', world.tabs.message$),
      post: (message) => {
        effect('tabs', message);
        world.tabs.post(message);
      },
    },
    yieldThread: () => hear('yield', world.yieldThread().pipe(map(() => null))),
    hold: (name) => hear('hold', world.hold(name)),
    journal: {
      keys: () => hear('journal keys', world.journal.keys()),
      read: (key) => hear(`journal read ${key}`, world.journal.read(key)),
      write: (changes) => hear('journal write', world.journal.write(changes).pipe(map(() => null))),
      erase: () => hear('journal erase', world.journal.erase()),
    },
    eraseStore: () => hear('erase', world.eraseStore()),
    consent$: hear('consent', world.consent$, { lane: 'consent' }),
    calls: watchedCalls(world.calls, deps),
    deferredParts$: watchedParts(world, deps),
    addons: world.addons.map((addon) => watchedAddon(addon, deps)),
    openEngine: () => watchedEngine(world.openEngine(), deps),
    loadPixel: (url) => {
      effect('pixel', { url });
      world.loadPixel(url);
    },
    runScript: (code) => {
      effect('script', { characters: code.length });
      return recorder.read('script', '', world.runScript(code));
    },
    openLayer: (zIndex) => {
      effect('layer', { zIndex });
      return world.openLayer(zIndex);
    },
    report: (message, cause) => {
      log.note({ lane: 'errors', type: 'report', data: { message, cause: messageOf(cause) } });
      world.report(message, cause);
    },
  };
};

/** Notes each DOM event, as far as the SDK reads it. One that several parts hear is a signal only once. */
const watchedListen = (listen: Listen, { hear }: Recorder): Listen => {
  const seen = new WeakSet();
  return (target, type) =>
    hear(`${target} ${type}`, listen(target, type), { lane: signalLane(seen), dataOf: domSignal });
};

/** Notes the page's calls. The functions in them are the page's, and are not noted. */
const watchedCalls = (calls: PublicCalls, { log, recorder: { hear } }: WatchDeps): PublicCalls => ({
  ...calls,
  track$: hear(
    'track',
    // The event comes later where it waits for data, so it is linked by its id.
    calls.track$.pipe(
      map(({ draft, accepted }) => {
        const call = { id: 0 };
        return {
          call,
          draft,
          accepted: (event: Parameters<typeof accepted>[0]) => {
            if (event !== null) log.link(`made ${event.id}`, call.id);
            accepted(event);
          },
        };
      }),
    ),
    { lane: 'calls', dataOf: ({ draft }) => draft, onNoted: ({ call }, id) => void (call.id = id) },
  ),
  identify$: hear('identify', calls.identify$.pipe(tap(({ given }) => given.forEach(({ id }) => log.hide(id)))), {
    lane: 'calls',
    dataOf: ({ given }) => given,
  }),
  reset$: hear('reset', calls.reset$, { lane: 'calls', dataOf: () => null }),
  explain$: hear('explain', calls.explain$, { lane: 'calls', dataOf: ({ id }) => id }),
  addon: (name) => hear(`addon ${name}`, calls.addon(name), { lane: 'calls' }),
});

/** Notes what the engine is told and says. What its store holds is read before the engine starts. */
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
    send: (command) => {
      if (command.type === 'start') ({ userId } = command);
      const id = log.note({
        lane: 'engine',
        type: `to ${command.type}`,
        data: command.type === 'track' ? { event: command.event.id } : null,
        ...causesOfCommand(command, log),
      });
      if (command.type === 'track') linkTold(command.event, id, log);
      send(command);
    },
  };
};
