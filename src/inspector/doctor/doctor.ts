import { defer, of } from 'rxjs';

import type { Finding } from '../../model/finding';
import type { DeferredParts } from '../../visit/world';
import type { InspectedPage } from '../inspectedPage';
import { adRequestFacts, adRequestFindings } from './adRequests';
import { valueWithin } from './askPage';
import { consentFacts, consentFindings } from './consent';
import { engineFacts, engineFindings } from './engine';
import { experimentFacts, experimentFindings } from './experiment';
import { worstFirst } from './finding';
import { networkFacts, networkFindings, resourcesOf } from './network';
import { addonFacts, addonFindings, addonsSeen, partnerFacts, partnerFindings } from './partners';
import { settledAdRequests } from './settledAdRequests';
import { storageFacts, storageFindings } from './storage';
import { pageScripts, tagFacts, tagFindings } from './tag';

/** The chunk is loaded already on a page that is well. In ms. */
const chunkPatience = 5_000;

/** Whether the visitor's answer, or its absence, lets the SDK run. */
const letsRun = ({ answer, isRequired }: Awaited<ReturnType<typeof consentFacts>>): boolean =>
  answer === 'given' || (answer === 'none' && !isRequired);

/**
 * Looks at the page, and changes nothing: it stores nothing, and loads only what the SDK has loaded anyway. Never
 * rejects. `asksServer`: whether the page's own server is asked for its time.
 */
const factsOf = async (page: InspectedPage, asksServer: boolean) => {
  const { world } = page;
  const scripts = pageScripts(world);
  const consent = await consentFacts(world);
  const mayRun = letsRun(consent);
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
  const partners = partnerFacts(world, addons, resources);
  const requests = await settledAdRequests(page);
  return {
    tag: tagFacts(page, scripts),
    consent,
    storage,
    engine,
    network,
    addons: addonFacts(world, addons, scripts),
    partners,
    adRequests: adRequestFacts(page, requests, scripts, resources, partners.hasCompanionTag),
    experiment: experimentFacts(page, requests),
  };
};
/** What the doctor has seen of a page: data, from which `findingsOf` judges. Times are in ms. */
export type Facts = Awaited<ReturnType<typeof factsOf>>;

/** Judges what was seen of a page. The list begins with the worst findings. */
export const findingsOf = ({
  tag,
  consent,
  storage,
  engine,
  network,
  addons,
  partners,
  adRequests,
  experiment,
}: Facts): readonly Finding[] =>
  worstFirst([
    ...tagFindings(tag, consent),
    ...consentFindings(consent),
    ...addonFindings(addons, tag.isBound),
    ...storageFindings(storage),
    ...engineFindings(engine, network),
    ...networkFindings(network),
    ...partnerFindings(partners, letsRun(consent)),
    ...adRequestFindings(adRequests),
    ...experimentFindings(experiment),
  ]);

/**
 * What is wrong on the page, the worst first. `asksServer`: whether the page's own server is asked for its time, to
 * compare the clock. What fails while looking is reported, and answers no finding.
 */
export const doctor = async (page: InspectedPage, asksServer: boolean): Promise<readonly Finding[]> => {
  try {
    return findingsOf(await factsOf(page, asksServer));
  } catch (cause) {
    page.world.report('Inspector failed', cause);
    return [];
  }
};
