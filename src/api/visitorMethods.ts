import { noop } from 'rxjs';

import { jsonValue } from '../hardening/jsonValue';
import type { Report } from '../model/report';
import type { ApiPart } from './apiPart';
import type { PublicCalls } from './publicCalls';

/**
 * The methods `identify`, `consent`, `reset` and `addon`. `addonNames`: the names that `addon` accepts. Other names are
 * reported.
 */
export const visitorMethods = (calls: PublicCalls, addonNames: readonly string[], report: Report): ApiPart => ({
  methods: {
    addon: (name, options) => {
      if (typeof name !== 'string' || !addonNames.includes(name)) {
        report('Does not exist', new Error(`permutive.addon(${typeof name === 'string' ? name : typeof name})`));
        return;
      }
      calls.startAddon(name, options);
    },
    identify: (identities) =>
      new Promise<string | null>((resolve) => {
        // Copied at once, because the page may change its objects before the deferred chunk reads the call.
        calls.identify({ given: jsonValue(identities, noop), done: resolve });
      }),
    consent: (consent) => calls.giveConsent(consent),
    reset: () => new Promise<void>((resolve) => calls.reset(resolve)),
  },
});
