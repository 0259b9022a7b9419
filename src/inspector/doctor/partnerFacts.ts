import { map } from 'rxjs';

import type { AnyAddon } from '../../addons/addon';
import { serviceInputs } from '../../api/serviceInputs';
import { ownEntry, ownFields } from '../../hardening/ownFields';
import type { DeferredParts, World } from '../../visit/world';
import { googleTargeting } from '../ui/pageReads';
import { readOf, valueWithin } from './askPage';
import type { AddonFacts, PartnerFact, PartnerFacts } from './facts';
import type { Resource } from './networkFacts';
import type { PageScript } from './tagFacts';

/** The deferred chunk, where it was loaded, and the names of the addons that the page has started. */
export interface AddonsSeen {
  readonly deferred: DeferredParts | undefined;
  readonly started: readonly string[];
}

const knownAddons = (world: World, deferred: DeferredParts | undefined): readonly AnyAddon[] => [
  ...world.addons,
  ...(deferred?.addons ?? []),
];

/** Sees which addons the page has started: their latest start is repeated to who listens late. */
export const addonsSeen = async (world: World, deferred: DeferredParts | undefined): Promise<AddonsSeen> => {
  const started = await Promise.all(
    knownAddons(world, deferred).map(({ name }) => valueWithin(0, world.calls.addon(name).pipe(map(() => [name])), [])),
  );
  return { deferred, started: started.flat() };
};

/** What a page starts, and whether the project has it. Without the deferred chunk its addons are not known. */
export const addonFacts = (
  world: World,
  { deferred, started }: AddonsSeen,
  scripts: readonly PageScript[],
): AddonFacts => {
  const known = knownAddons(world, deferred).map(({ name }) => name);
  const named = scripts.flatMap(({ text }) =>
    [...text.matchAll(/permutive\.addon\(\s*(['"`])([\w-]+)\1/g)].map(([, , name = '']) => name),
  );
  return {
    started,
    unknown:
      deferred === undefined ? [] : [...new Set(named)].filter((name) => ![...known, ...serviceInputs].includes(name)),
  };
};

/** Which ad technologies are on the page, since when, and what Google's tag has been told. */
export const partnerFacts = (
  world: World,
  { deferred, started }: AddonsSeen,
  resources: readonly Resource[],
): PartnerFacts => {
  const { page } = world;
  const options = { ...world.project.addons, ...deferred?.addonOptions };
  const isWanted = (name: string): boolean => {
    const addon = knownAddons(world, deferred).find((each) => each.name === name);
    const configured = ownEntry(options, name);
    return addon !== undefined && (started.includes(name) || (ownFields(configured ?? {}).auto_init ?? addon.autoInit));
  };
  const fact = (addon: string, state: PartnerFact['state'], script: RegExp): PartnerFact => ({
    state,
    isWanted: isWanted(addon),
    loadedAt: resources.find(({ name }) => script.test(name))?.responseEnd,
  });
  return {
    google: fact('dfp', stateOf(page.global('googletag'), 'pubads'), /\/(gpt|googletag)[^/]*\.js/),
    appnexus: fact('appnexus_adserver', stateOf(page.global('apntag'), 'getTag'), /\/(ast|apntag)[^/]*\.js/),
    prebid: fact('prebid', prebidState(page), /prebid[^/]*\.js/),
    keyValues: googleTargeting(page).flatMap(([place, keys]) =>
      Object.entries(keys).map(([key, values]) => ({ place, key, values })),
    ),
  };
};

/** A tag is ready once it has its methods; before that, the page has made its queue. */
const stateOf = (tag: unknown, method: string): PartnerFact['state'] => {
  if (typeof tag !== 'object' || tag === null) return 'absent';
  return readOf(() => typeof (tag as Readonly<Record<string, unknown>>)[method] === 'function', false)
    ? 'ready'
    : 'waiting';
};

/** Pages may give Prebid another name, of which Prebid keeps a list. */
const prebidState = (page: World['page']): PartnerFact['state'] => {
  const listed = page.global('_pbjsGlobals');
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const states = [...names, 'pbjs'].map((name) => stateOf(page.global(name), 'requestBids'));
  return states.find((state) => state === 'ready') ?? states.find((state) => state === 'waiting') ?? 'absent';
};
