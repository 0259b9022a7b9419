import { defer, of } from 'rxjs';

import type { DeferredParts } from '../../visit/world';
import type { InspectedPage } from '../inspectedPage';
import { valueWithin } from './askPage';
import { consentFacts } from './consentFacts';
import type { Facts } from './facts';
import { engineFacts, networkFacts, resourcesOf } from './networkFacts';
import { addonFacts, addonsSeen, partnerFacts } from './partnerFacts';
import { storageFacts } from './storageFacts';
import { pageScripts, tagFacts } from './tagFacts';

/** The chunk is loaded already on a page that is well. In ms. */
const chunkPatience = 5_000;

/**
 * Looks at the page, and changes nothing: it stores nothing, and loads only what the SDK has loaded anyway. Never
 * rejects. `asksServer`: whether the page's own server is asked for its time.
 */
export const factsOf = async (page: InspectedPage, asksServer: boolean): Promise<Facts> => {
  const { world } = page;
  const scripts = pageScripts(world);
  const consent = await consentFacts(world);
  const mayRun = consent.answer === 'given' || (consent.answer === 'none' && !consent.isRequired);
  // Without consent the chunk is not loaded, so it is not asked for.
  const deferred = await valueWithin<DeferredParts | undefined, undefined>(
    chunkPatience,
    mayRun ? defer(() => world.deferredParts$) : of(undefined),
    undefined,
  );
  const addons = await addonsSeen(world, deferred);
  const storage = await storageFacts(world);
  const isChunkMissing = mayRun && deferred === undefined;
  const engine = await engineFacts(page, resourcesOf(world), mayRun);
  const resources = resourcesOf(world);
  const network = await networkFacts(world, resources, { isChunkMissing, asksServer });
  return {
    tag: tagFacts(page, scripts),
    consent,
    storage,
    engine,
    network,
    addons: addonFacts(world, addons, scripts),
    partners: partnerFacts(world, addons, resources),
  };
};
