import { ownFields } from '../../model/ownFields';
import type { DeferredParts, World } from '../../world';
import { googleTargeting } from '../ui/pageReads';
import { readOf } from './askPage';
import type { AddonFacts, PartnerFact, PartnerFacts } from './facts';
import type { Resource } from './networkFacts';
import type { PageScript } from './tagFacts';

/** Names that `permutive.addon` takes for services; they are no addons. */
const serviceInputs = ['contextual', 'second_party', 'secure_signal'];

/** What a page starts, and whether the project has it. Without the deferred chunk its addons are not known. */
export const addonFacts = (
  world: World,
  deferred: DeferredParts | undefined,
  scripts: readonly PageScript[],
): AddonFacts => {
  const known = [...world.addons, ...(deferred?.addons ?? [])].map(({ name }) => name);
  const named = scripts.flatMap(({ text }) =>
    [...text.matchAll(/permutive\.addon\(\s*(['"`])([\w-]+)\1/g)].map(([, , name = '']) => name),
  );
  return {
    started: Object.keys(world.calls.instances),
    unknown:
      deferred === undefined ? [] : [...new Set(named)].filter((name) => ![...known, ...serviceInputs].includes(name)),
  };
};

/** Which ad technologies are on the page, since when, and what Google's tag has been told. */
export const partnerFacts = (
  world: World,
  deferred: DeferredParts | undefined,
  resources: readonly Resource[],
): PartnerFacts => {
  const { page, calls } = world;
  const addons = [...world.addons, ...(deferred?.addons ?? [])];
  const options = { ...world.project.addons, ...deferred?.addonOptions };
  const isWanted = (name: string): boolean => {
    const addon = addons.find((each) => each.name === name);
    const configured = Object.hasOwn(options, name) ? options[name] : undefined;
    return (
      addon !== undefined &&
      (Object.hasOwn(calls.instances, name) || (ownFields(configured ?? {}).auto_init ?? addon.autoInit))
    );
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
