import { customerIdentities } from '../model/identity';
import type { Report } from '../model/report';
import type { ApiPart } from './apiPart';
import type { PublicCalls } from './publicCalls';

/**
 * The methods `identify`, `consent`, `reset` and `addon`. `addonNames`: the names that `addon` accepts; others are
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
        const given = customerIdentities(identities);
        if (given instanceof Error) {
          report(given.message, given);
          resolve(null);
        } else calls.identify({ given, done: resolve });
      }),
    consent: (consent) => calls.giveConsent(consent),
    reset: () => new Promise<void>((resolve) => calls.reset(resolve)),
  },
});
