import { guarded, type Messages } from '../messages';

/** The events of slots that the stand-in has. */
export type SlotEvents = Pick<
  googletag.events.EventTypeMap,
  | 'slotRequested'
  | 'slotResponseReceived'
  | 'slotRenderEnded'
  | 'slotOnload'
  | 'impressionViewable'
  | 'slotVisibilityChanged'
>;
/** What an event has beside the slot and the service. */
type Fields<Type extends keyof SlotEvents> = Omit<SlotEvents[Type], keyof googletag.events.Event>;

/** Those who listen to the service. */
export interface Listeners {
  readonly add: (type: string, listener: unknown) => void;
  readonly remove: (type: string, listener: unknown) => void;
  readonly emit: <Type extends keyof SlotEvents>(type: Type, slot: googletag.Slot, fields: Fields<Type>) => void;
}

const types: Readonly<Record<keyof SlotEvents, true>> = {
  slotRequested: true,
  slotResponseReceived: true,
  slotRenderEnded: true,
  slotOnload: true,
  impressionViewable: true,
  slotVisibilityChanged: true,
};

/** Listeners operate at the level of the service, and names of events are case-sensitive. */
export const slotListeners = (serviceName: string, messages: Messages): Listeners => {
  const heard = new Map<string, ((event: googletag.events.Event) => void)[]>();
  return {
    add: (type, listener) => {
      if (!Object.hasOwn(types, type) || typeof listener !== 'function') messages.warn(`No event is named ${type}`);
      else heard.set(type, [...(heard.get(type) ?? []), listener as () => void]);
    },
    remove: (type, listener) => {
      const listening = heard.get(type) ?? [];
      const at = listening.findIndex((each) => each === listener);
      heard.set(
        type,
        listening.filter((_, i) => i !== at),
      );
    },
    emit: (type, slot, fields) => {
      for (const listener of heard.get(type) ?? []) guarded(messages, () => listener({ slot, serviceName, ...fields }));
    },
  };
};
