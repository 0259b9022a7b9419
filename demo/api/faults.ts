import * as t from 'io-ts';

const Match = t.partial({ method: t.string, path: t.string }, 'Match');

/** Answered in place of the call, which does not happen. */
const Status = t.intersection(
  [t.type({ status: t.number }), t.partial({ body: t.unknown, headers: t.record(t.string, t.string) })],
  'Status',
);
/** The call happens, later. */
const Delay = t.type({ delayMs: t.number }, 'Delay');
/** No call, no answer, the connection stays open until the client leaves. */
const Hang = t.type({ hang: t.literal(true) }, 'Hang');
/** No call; the connection breaks. */
const Reset = t.type({ reset: t.literal(true) }, 'Reset');
/** The call happens; its answer is cut off in the middle of the text. */
const Malformed = t.type({ malformed: t.literal(true) }, 'Malformed');
/** The call happens; the connection breaks in place of the answer. */
const IgnoreAnswer = t.type({ ignoreAnswer: t.literal(true) }, 'IgnoreAnswer');

const Action = t.union([Status, Delay, Hang, Reset, Malformed, IgnoreAnswer], 'Action');
export type Action = Readonly<t.TypeOf<typeof Action>>;

/** What goes wrong with which requests: all that match, or the first `times` of them. */
const FaultSwitch = t.intersection(
  [t.type({ match: Match, action: Action }), t.partial({ times: t.number })],
  'FaultSwitch',
);
type FaultSwitch = Readonly<t.TypeOf<typeof FaultSwitch>>;

export const FaultSwitches = t.readonlyArray(FaultSwitch, 'FaultSwitch[]');

export interface Faults {
  readonly add: (switches: readonly FaultSwitch[]) => void;
  readonly all: () => readonly FaultSwitch[];
  /** What is to go wrong with this request; the oldest switch that matches counts down. */
  readonly take: (method: string, path: string) => Action | undefined;
  readonly clear: () => void;
}

export const faults = (): Faults => {
  let active: readonly FaultSwitch[] = [];
  return {
    add: (switches) => {
      active = [...active, ...switches];
    },
    all: () => active,
    take: (method, path) => {
      const found = active.find(
        ({ match, times = 1 }) => times > 0 && (match.method ?? method) === method && path.includes(match.path ?? ''),
      );
      if (found?.times !== undefined) {
        const left = found.times - 1;
        active = active.flatMap((one) => (one !== found ? [one] : left > 0 ? [{ ...one, times: left }] : []));
      }
      return found?.action;
    },
    clear: () => {
      active = [];
    },
  };
};
