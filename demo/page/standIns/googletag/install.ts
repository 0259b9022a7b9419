/*
 * A stand-in for Google Publisher Tag, for the demo and the tests. No ad server is asked: house ads are chosen here by
 * the key values of the request, and say so. Each behaviour follows a public page, read on 2026-11-24; README.md beside
 * this folder lists them with their tests. Behaviour that is not documented is left out. Google's Publisher Console
 * shows its messages; here they are on the console of the browser.
 *
 * https://developers.google.com/publisher-tag/reference, as @types/google-publisher-tag 1.20260921 has it
 * https://developers.google.com/publisher-tag/guides/control-ad-loading
 * https://developers.google.com/publisher-tag/guides/key-value-targeting
 * https://developers.google.com/publisher-tag/guides/ad-best-practices
 * https://developers.google.com/publisher-tag/guides/publisher-console-messages
 * https://developers.google.com/publisher-tag/samples/lazy-loading
 * https://developers.google.com/publisher-tag/samples/ad-event-listeners
 */
import { guarded, messagesOf } from '../messages';
import { slotListeners } from './listeners';
import { clearSlots, displaySlot } from './requests';
import { secureSignals } from './secureSignals';
import { adService, serviceName } from './service';
import { pageConfig, setPageConfig } from './settings';
import { defineSlot } from './slot';
import { type AdSlot, newCorrelator, type TagState } from './tagState';
import { targetingTable } from './targeting';

type Command = (this: typeof globalThis) => void;
/** The object as a page may have it before the tag has loaded, and afterwards. */
type OnPage = {
  -readonly [Name in keyof typeof googletag]?: (typeof googletag)[Name];
} & { pps?: googletag.config.PublisherProvidedSignalsConfig | null };

const messages = messagesOf('googletag stand-in');

/**
 * Puts the tag on the page, and then runs the commands that the page has queued. `hasOlderCalls`: whether the service
 * has the targeting calls that `setConfig` has replaced.
 */
export const installGoogletag = (hasOlderCalls: boolean): void => {
  const page = window as unknown as { googletag?: OnPage };
  const tag = (page.googletag ??= {});
  const state: TagState = {
    messages,
    listeners: slotListeners(serviceName, messages),
    targeting: targetingTable(messages),
    safeFrame: {},
    collapseDiv: null,
    lazyLoad: null,
    defined: [],
    associated: [],
    isEnabled: false,
    isInitialLoadDisabled: false,
    isSingleRequest: false,
    correlator: newCorrelator(),
    ppid: undefined,
  };
  Object.assign(tag, callsOf(adService(state, hasOlderCalls), state, tag), { apiReady: true });
  runQueue(tag);
  const queued = tag.secureSignalProviders as unknown;
  const providers = Array.isArray(queued) ? (queued as googletag.secureSignals.SecureSignalProvider[]) : [];
  tag.secureSignalProviders = secureSignals(messages);
  for (const provider of providers) tag.secureSignalProviders.push(provider);
};

/** Runs what the page has queued, in order, and what is queued meanwhile. Then the queue runs commands at once. */
const runQueue = (tag: OnPage): void => {
  let count = 0;
  const push = (...commands: Command[]): number => {
    for (const command of commands) {
      count += 1;
      guarded(messages, () => command.call(globalThis));
    }
    return count;
  };
  // An iterator of a list also comes to what is added on the way.
  if (Array.isArray(tag.cmd)) for (const command of tag.cmd as readonly Command[]) push(command);
  tag.cmd = { push };
};

const callsOf = (service: googletag.PubAdsService, state: TagState, tag: OnPage) =>
  ({
    getVersion: () => 'stand-in',
    pubads: () => service,
    defineSlot: (adUnitPath, size, div) => defineSlot(adUnitPath, size, div, service, state)?.api ?? null,
    enableServices: () => {
      state.isEnabled = true;
      tag.pubadsReady = true;
    },
    display: (target) => {
      const id = idOf(target);
      const slot = state.defined.find((each) => each.id === id);
      if (slot === undefined)
        messages.error(`Div ID passed to googletag.display() does not match any defined slots: ${id}.`);
      else displaySlot(slot, state);
    },
    destroySlots: (wanted) => {
      const gone = state.defined.filter(({ api }) => wanted?.includes(api) ?? true);
      clearSlots(gone);
      for (const list of [state.defined, state.associated]) remove(gone, list);
      return gone.length > 0;
    },
    setConfig: (config) => {
      setPageConfig(config, state);
      // The real tag does not show the signals; here they stand on the tag for whoever is curious.
      if (config.pps !== undefined) tag.pps = config.pps;
    },
    getConfig: (keys) => pageConfig(keys, state),
  }) satisfies Partial<typeof googletag>;

/** The id of a div, whether it is given as such, as the element, or as the slot. */
const idOf = (target: string | Element | googletag.Slot): string =>
  typeof target === 'string' ? target : target instanceof Element ? target.id : target.getSlotElementId();

const remove = (gone: readonly AdSlot[], list: AdSlot[]): void => {
  list.splice(0, list.length, ...list.filter((slot) => !gone.includes(slot)));
};
