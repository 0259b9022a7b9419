import { hasExperiment } from '@project/settings';

import { localKeys, partnerKeys } from '../model/storageKeys';
import { guarded } from './guarded';
import { storedVisitor } from './storedVisitor';

interface Apntag {
  anq?: { readonly push: (command: () => void) => unknown };
  readonly onEvent: (type: string, listener: (ad: unknown) => void) => unknown;
  defineTag: (tag: unknown) => unknown;
  readonly getTag: () => object;
  readonly setKeywords: (targetId: string, keywords: object, options: object) => unknown;
}

declare const apntag: Apntag;
/** The page may not have begun the queue yet. */
declare const window: { apntag?: Partial<Apntag>; __permutive?: { appnexusEvents?: readonly unknown[] } };

/** The seller tag's own function; undefined until that tag has loaded. */
let defineTag: Apntag['defineTag'] | undefined;

/** Sets the keyword of all tags that the page has defined. */
const tellDefined = guarded(() => {
  const visitor = storedVisitor();
  const permutive = visitor.codes(partnerKeys.appnexus);
  const keywords = hasExperiment ? { permutive, prmtvexp: visitor.codes(localKeys.group) } : { permutive };
  for (const targetId in apntag.getTag()) apntag.setKeywords(targetId, keywords, { overrideKeyValue: true });
});

/**
 * Gives each tag of the page the stored codes as its keyword `permutive` when the page defines it, so before its first
 * request, and takes them back after a refusal. The addon `appnexus_adserver` goes on from it, and
 * `src/addons/appnexus/keywords.ts` says which pages document this. Ads that load before the SDK are kept for the
 * addon.
 */
export const appnexus = (): void => {
  ((window.apntag ??= {}).anq ??= new Array<() => void>()).push(
    guarded(() => {
      if (!defineTag) {
        defineTag = apntag.defineTag;
        const appnexusEvents: unknown[] = ((window.__permutive ??= {}).appnexusEvents = []);
        apntag.onEvent('adLoaded', (arg) => appnexusEvents.push({ eventType: 'adLoaded', arg }));
        apntag.defineTag = (tag) => {
          const answer = (defineTag as Apntag['defineTag'])(tag);
          tellDefined();
          return answer;
        };
      }
      tellDefined();
    }),
  );
};
