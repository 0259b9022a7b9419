import { customerIdentities } from '../model/identity';
import type { Report } from '../model/report';
import type { ApiPart } from './apiPart';
import type { PublicCalls } from './publicCalls';

/**
 * The methods `identify`, `consent`, `reset` and `addon`. `addonNames`: the names that `addon` accepts. `identityTags`:
 * the tags that `identify` accepts; all where it is undefined. Other names and tags are reported.
 */
export const visitorMethods = (
  calls: PublicCalls,
  addonNames: readonly string[],
  identityTags: readonly string[] | undefined,
  report: Report,
): ApiPart => ({
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
          report(given.message);
          resolve(null);
          return;
        }
        // Tags that nobody has configured mean nothing to the provider of the SDK.
        const accepted = given.filter(({ tag }) => identityTags?.includes(tag) ?? true);
        if (accepted.length < given.length)
          report('Failed to identify', new Error('tag: expected one of identityTags of the project definition'));
        calls.identify({ given: accepted, done: resolve });
      }),
    consent: (consent) => calls.giveConsent(consent),
    reset: () => new Promise<void>((resolve) => calls.reset(resolve)),
  },
});
