import { isRecord } from '../codecs/codecs';
import type { EngineCommand, Transition } from '../model/engineCommands';
import type { Event } from '../model/event';
import { timeOf } from '../primitives/isoDate';
import type { Log } from './log';

/** The name by which a transition is found: that of the cohort, and whether it was gained. */
const transitionName = ({ id, entry }: Pick<Transition, 'id' | 'entry'>): string => `${entry ? 'entry' : 'exit'} ${id}`;

const transitionsOf = (message: unknown): readonly Transition[] =>
  isRecord(message) && Array.isArray(message['transitions']) ? (message['transitions'] as readonly Transition[]) : [];

/**
 * What a message of the engine comes from: the event that was evaluated last. The engine answers in the order in which
 * it was told, so this is an event before it where several were told at once.
 */
export const causesOfMessage = (message: unknown, { linked }: Log): readonly number[] => {
  const times = transitionsOf(message).map(({ time }) => `told at ${time}`);
  const exact = linked(...times);
  return exact.length > 0 ? exact : linked('told');
};

/** Lets the transitions of a message be found by their publication. */
export const linkMessage = (message: unknown, id: number, { link }: Log): void => {
  for (const transition of transitionsOf(message)) link(transitionName(transition), id);
};

/** Lets an event that the engine is told be found by what the engine answers. */
export const linkTold = (event: Event, id: number, { link }: Log): void => {
  link('told', id);
  link(`told at ${timeOf(event.time)}`, id);
};

/** What the publication of a transition comes from: the engine's message. */
export const causesOfTransition = (transition: Transition, { linked }: Log): readonly number[] =>
  linked(transitionName(transition));

/** Lets the publication of a transition be found by the event that tells of it. */
export const linkTransition = (transition: Transition, id: number, { link }: Log): void =>
  link(`published ${transitionName(transition)}`, id);

/** What an event comes from: the page's call, the transition that it tells of, or what is handed on at this moment. */
export const causesOfEvent = ({ id, name, properties }: Event, { linked }: Log): readonly number[] | undefined => {
  const called = linked(`made ${id}`);
  if (called.length > 0) return called;
  const code = properties['segment_number'] ?? properties['cohort'];
  if (name !== 'SegmentEntry' && name !== 'SegmentExit') return undefined;
  const told = linked(`published ${transitionName({ id: String(code), entry: name === 'SegmentEntry' })}`);
  return told.length > 0 ? told : undefined;
};

/** What a request comes from: the events in its body, else what is handed on at this moment. */
export const causesOfRequest = (body: unknown, { linked }: Log): readonly number[] | undefined => {
  const events = Array.isArray(body) ? body.filter(isRecord).map(({ id }) => `event ${String(id)}`) : [];
  const causes = linked(...events);
  return causes.length > 0 ? causes : undefined;
};

/** What a message to the engine comes from: the event that it brings, else what is handed on at this moment. */
export const causesOfCommand = (command: EngineCommand, { linked }: Log): { readonly causes?: readonly number[] } =>
  command.type === 'track' ? { causes: linked(`event ${command.event.id}`) } : {};
