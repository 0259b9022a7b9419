import { EMPTY, merge, of, Subject } from 'rxjs';

import { isTransition } from '../../src/model/cohort';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import { localKeys } from '../../src/model/storageKeys';
import type { Fault } from './play';
import type { Story } from './story';

/** Changes what the page tells its engine. */
const engineHears =
  (change: (command: EngineCommand) => readonly EngineCommand[]): Fault =>
  ({ openEngine, ...platform }) => ({
    ...platform,
    openEngine: () => {
      const { send, message$ } = openEngine();
      return { message$, send: (command) => change(command).forEach(send) };
    },
  });

/** An engine says at once that it has saved what it is told. */
const rash: Fault = ({ openEngine, ...platform }) => ({
  ...platform,
  openEngine: () => {
    const { send, message$ } = openEngine();
    const early$ = new Subject<EngineMessage>();
    return {
      message$: merge(message$, early$),
      send: (command) => {
        send(command);
        if (command.type === 'track')
          early$.next({ type: 'saved', until: { [command.event.page]: command.event.number } });
      },
    };
  },
});

/** What a page journals is gone with the page. */
const forgetful: Fault = ({ journal, local, ...platform }) => ({
  ...platform,
  local: {
    ...local,
    write: (key, text) => (key.startsWith(localKeys.localJournal) ? undefined : local.write(key, text)),
  },
  journal: { ...journal, keys: () => of([]), read: () => EMPTY, write: () => of(undefined) },
});

const crashed: Story = [
  { do: 'open', tab: 0, then: 1500 },
  { do: 'engage', tab: 0, then: 100 },
  { do: 'track', tab: 0, then: 100 },
  { do: 'crash', tab: 0, then: 0 },
];

/** What breaks the law, and a story in which it does. */
export const faults: Readonly<Record<string, readonly [Fault, Story]>> = {
  'an engine that says too early what it has saved': [rash, crashed],
  'an event that two engines take for two': [
    engineHears((command) =>
      command.type === 'track'
        ? [command, { ...command, event: { ...command.event, page: `${command.event.page} again` } }]
        : [command],
    ),
    crashed,
  ],
  'values that come as another event': [
    engineHears((command) =>
      command.type === 'filled'
        ? [command, { type: 'track', event: { ...command.event, id: 'again', page: 'again', number: 1 } }]
        : [command],
    ),
    [
      { do: 'place', works: true, lateMs: 1500, then: 0 },
      { do: 'open', tab: 0, then: 3000 },
    ],
  ],
  'an engine that does not hear what is told': [
    engineHears((command) => (command.type === 'track' && isTransition(command.event.name) ? [] : [command])),
    [
      { do: 'open', tab: 0, then: 1500 },
      { do: 'track', tab: 0, then: 700 },
      { do: 'hide', tab: 0, then: 300 },
      { do: 'close', tab: 0, then: 0 },
    ],
  ],
  'a journal that ends with its page': [forgetful, [{ do: 'network', works: false, then: 0 }, ...crashed]],
};
