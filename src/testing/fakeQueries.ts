import { defer } from 'rxjs';

import { type FakeEngine, fakeEngine } from '../fakePlatform/fakeEngine';
import type { EngineCommand, EngineMessage } from '../model/engineCommands';
import type { Stage } from '../model/pageContext';
import type { EngineLink } from '../platform/platform';

/** What the engine of a fake knows. */
export interface FakeQueriesDeps {
  /** By platform, the ids of the cohorts that are activated there. */
  readonly activations: Readonly<Record<string, readonly string[]>>;
  /** What `explain` answers, by id of the cohort. */
  readonly explanations: Readonly<Record<string, string>>;
  /** Ms since 1970. */
  readonly now: () => number;
}

type Explain = Extract<EngineCommand, { type: 'explain' }>;

/** Makes the engines of a page. The first visitor is in the cohorts that are set by then, each later one in none. */
export const fakeQueries = ({ activations, explanations, now }: FakeQueriesDeps) => {
  let members: readonly string[] = [];
  let stage: Stage | undefined;
  let engine: FakeEngine | undefined;
  let [isHeard, isInitialised, isBarred] = [false, false, false];
  let asked: Explain[] = [];
  const membership = () => ({ members, activations: activatedOf(members, activations) });
  const say = (message: EngineMessage): void => engine?.say(message);
  const settle = (): void => {
    if (!isHeard || engine?.isOpen() !== true || stage === undefined) return;
    if (!isInitialised) {
      isInitialised = true;
      say({ type: 'initialised', membership: membership(), migrated: false, transitions: [] });
    }
    if (isBarred && stage === 'realtime') {
      isBarred = false;
      say({ type: 'barrierReached', name: 'realtime' });
    }
    for (const { request, id } of asked.splice(0))
      say({ type: 'explained', request, text: explanations[id] ?? null, waiting: 0 });
  };
  return {
    /** Lets the engine answer, and one that was opened get as far as those before it. */
    settle,
    /** The cohorts of the visitor, or of the one who is to come. */
    members: (): readonly string[] => members,
    openEngine: (): EngineLink => {
      if (engine !== undefined) members = [];
      const opened = fakeEngine();
      engine = opened.engine;
      [isHeard, isInitialised, isBarred, asked] = [false, false, false, []];
      return {
        message$: defer(() => {
          isHeard = true;
          return opened.link.message$;
        }),
        send: (message) => {
          const command = message;
          if (command.type === 'barrier') isBarred = true;
          if (command.type === 'explain') asked.push(command);
        },
      };
    },
    /** Lets the engines get that far, those of later visits too. */
    reach: (next: Stage): void => {
      if (stage !== 'realtime') stage = next;
      settle();
    },
    /** From now on, the visitor is in these cohorts and in no other. */
    setMembers: (ids: readonly string[]): void => {
      const before = members;
      members = ids;
      if (!isInitialised || engine?.isOpen() !== true) return;
      say({ type: 'changed', membership: membership() });
      say({ type: 'transitions', transitions: changesOf(before, ids).map((change) => ({ ...change, time: now() })) });
    },
  };
};

/** By platform, those of the members that are activated there. */
const activatedOf = (members: readonly string[], activations: FakeQueriesDeps['activations']) =>
  Object.fromEntries(
    Object.entries(activations).map(([platform, ids]) => [platform, members.filter((id) => ids.includes(id))]),
  );

/** The cohorts that were entered, then those that were left. */
const changesOf = (before: readonly string[], after: readonly string[]) => [
  ...after.filter((id) => !before.includes(id)).map((id) => ({ id, entry: true })),
  ...before.filter((id) => !after.includes(id)).map((id) => ({ id, entry: false })),
];
