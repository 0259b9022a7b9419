import { map } from 'rxjs';

import type { AnyAddon } from '../../addons/addon';
import { serviceInputs } from '../../api/serviceInputs';
import { ownEntry, ownFields } from '../../hardening/ownFields';
import type { Finding } from '../../model/finding';
import { sumOf } from '../../primitives/lists';
import type { DeferredParts, World } from '../../visit/world';
import { googleTargeting } from '../ui/pageReads';
import { readOf, valueWithin } from './askPage';
import { findingsAt } from './finding';
import type { Resource } from './network';
import type { PageScript } from './tag';

const atAddons = findingsAt('addons');
const atPartners = findingsAt('partners');
const atKeyValues = findingsAt('key values');

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
export const addonFacts = (world: World, { deferred, started }: AddonsSeen, scripts: readonly PageScript[]) => {
  const known = knownAddons(world, deferred).map(({ name }) => name);
  const named = scripts.flatMap(({ text }) =>
    [...text.matchAll(/permutive\.addon\(\s*(['"`])([\w-]+)\1/g)].map(([, , name = '']) => name),
  );
  return {
    /** Names of the addons that the page has started. */
    started,
    /** Names that scripts in the page give to `permutive.addon`, and the project does not have. */
    unknown:
      deferred === undefined ? [] : [...new Set(named)].filter((name) => ![...known, ...serviceInputs].includes(name)),
  };
};
type AddonFacts = ReturnType<typeof addonFacts>;

/** Which ad technologies are on the page, since when, and what Google's tag has been told. */
export const partnerFacts = (world: World, { deferred, started }: AddonsSeen, resources: readonly Resource[]) => {
  const { page } = world;
  const options = { ...world.project.addons, ...deferred?.addonOptions };
  const startsItself = (name: string): boolean => {
    const addon = knownAddons(world, deferred).find((each) => each.name === name);
    return addon !== undefined && (ownFields(ownEntry(options, name) ?? {}).auto_init ?? addon.autoInit);
  };
  const fact = (addon: string, state: PartnerState, script: RegExp) => ({
    state,
    /** Whether an addon of the project that runs on this page works with it. */
    isWanted: startsItself(addon) || started.includes(addon),
    /** When its script had loaded, since the page began; undefined where that is not known. */
    loadedAt: resources.find(({ name }) => script.test(name))?.responseEnd,
  });
  const google = stateOf(page.global('googletag'), 'pubads');
  const appnexus = stateOf(page.global('apntag'), 'getTag');
  return {
    google: fact('dfp', google, /\/(gpt|googletag)[^/]*\.js/),
    appnexus: fact('appnexus_adserver', appnexus, /\/(ast|apntag)[^/]*\.js/),
    prebid: fact('prebid', prebidState(page), /prebid(?:(?!prebid)[^/])*\.js/),
    /** Whether the page has an ad tag that the companion tells, which does so where the addon starts by itself. */
    hasCompanionTag:
      (google !== 'absent' && startsItself('dfp')) || (appnexus !== 'absent' && startsItself('appnexus_adserver')),
    /** Google's key values: the place, which is `page` or the element of a slot, key and values. */
    keyValues: googleTargeting(page).flatMap(([place, keys]) =>
      Object.entries(keys).map(([key, values]) => ({ place, key, values })),
    ),
  };
};
type PartnerFacts = ReturnType<typeof partnerFacts>;
type KeyValues = PartnerFacts['keyValues'][number];

/** `absent`: no such global. `waiting`: a queue, but the script has not run. */
type PartnerState = 'absent' | 'waiting' | 'ready';

/** A tag is ready once it has its methods; before that, the page has made its queue. */
const stateOf = (tag: unknown, method: string): PartnerState => {
  if (typeof tag !== 'object' || tag === null) return 'absent';
  return readOf(() => typeof (tag as Readonly<Record<string, unknown>>)[method] === 'function', false)
    ? 'ready'
    : 'waiting';
};

/** Pages may give Prebid another name, of which Prebid keeps a list. */
const prebidState = (page: World['page']): PartnerState => {
  const listed = page.global('_pbjsGlobals');
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const states = [...names, 'pbjs'].map((name) => stateOf(page.global(name), 'requestBids'));
  return states.find((state) => state === 'ready') ?? states.find((state) => state === 'waiting') ?? 'absent';
};

/** What is to be said of the addons that the page starts. */
export const addonFindings = ({ started, unknown }: AddonFacts, isBound: boolean): readonly Finding[] => [
  ...atAddons.error(
    isBound && !started.includes('web'),
    'The page has not called permutive.addon for web, so it has no Pageview',
    "Call permutive.addon('web', { page: { … } }) right after the tag, on each page.",
  ),
  ...unknown.flatMap((name) =>
    atAddons.warning(
      true,
      `The page starts the addon ${name}, which the project does not have`,
      'Name the addon in the project definition and build again, or correct the name in the page.',
    ),
  ),
];

/** Google Ad Manager's limits of a key and of a value (Ad Manager help, system maximums and limits). */
const longestKey = 20;
const longestValue = 40;
/** Key values travel in the address of a request, and many servers refuse addresses of more than 8 KB. */
const longestTargeting = 8_000;

const partnerNames = {
  google: 'Google Publisher Tag',
  appnexus: 'The seller tag of AppNexus',
  prebid: 'Prebid',
} as const;

/** What is to be said of ad servers, Prebid and the key values. `mayRun`: consent allows the addons to run. */
export const partnerFindings = (partners: PartnerFacts, mayRun: boolean): readonly Finding[] => {
  // Many projects work with two ad servers, and have one of them on each page.
  const hasAdServer = partners.google.state === 'ready' || partners.appnexus.state === 'ready';
  return [
    ...scriptFindings('google', partners.google, hasAdServer),
    ...scriptFindings('appnexus', partners.appnexus, hasAdServer || partners.google.isWanted),
    // An auction is not held on each page, and Prebid's module reads what is stored, too.
    ...scriptFindings('prebid', partners.prebid, true),
    ...atKeyValues.warning(
      mayRun && lacksKeys(partners),
      'Google’s tag lacks the page-level key puid, so that its ad requests carry no cohorts',
      'See whether the page replaces googletag or its methods, and whether «DFP failed to set data» is logged. A page that clears its targeting has the keys again at once.',
    ),
    ...partners.keyValues.flatMap(keyFindings),
    ...[...new Set(partners.keyValues.map(({ place }) => place))].flatMap((place) =>
      lengthFindings(
        place,
        partners.keyValues.filter((each) => each.place === place),
      ),
    ),
  ];
};

/** Whether the addon for Google's tag works on this page, and what it sets for each visitor is gone. */
const lacksKeys = ({ google, keyValues }: PartnerFacts): boolean =>
  google.state === 'ready' &&
  google.isWanted &&
  !keyValues.some(({ place, key }) => place === 'page' && key === 'puid');

const scriptFindings = (
  name: keyof typeof partnerNames,
  { state, isWanted, loadedAt }: PartnerFacts['google'],
  isOptional: boolean,
): readonly Finding[] =>
  state === 'ready'
    ? atPartners.info(
        true,
        `${partnerNames[name]} is on the page${loadedAt === undefined ? '' : `, loaded ${Math.round(loadedAt)} ms after it began`}`,
      )
    : atPartners[isOptional ? 'info' : 'warning'](
        isWanted,
        state === 'absent'
          ? `${partnerNames[name]} is configured in the project, and is not on the page`
          : `${partnerNames[name]} has its queue on the page, and has not loaded`,
        'See that its script is on the page and loads, also with ad blockers in mind. Where the page has no ads, this is right.',
      );

const keyFindings = ({ place, key, values }: KeyValues): readonly Finding[] => {
  const long = values.filter((value) => value.length > longestValue);
  return [
    ...atKeyValues.warning(
      key.length > longestKey,
      `The key ${key} of ${place} has more than ${longestKey} characters`,
      'Google Ad Manager takes no longer keys. Choose a shorter one.',
    ),
    ...atKeyValues.warning(
      long.length > 0,
      `${long.length} of the values of ${key} of ${place} have more than ${longestValue} characters`,
      'Google Ad Manager takes no longer values. Give the cohorts shorter codes.',
    ),
  ];
};

const lengthFindings = (place: string, keyValues: readonly KeyValues[]): readonly Finding[] => {
  const length = sumOf(keyValues, ({ key, values }) => key.length + values.join().length + 2);
  return atKeyValues.warning(
    length > longestTargeting,
    `The key values of ${place} have ${length} characters together`,
    `Keep them below ${longestTargeting}, else the ad request may be refused: activate fewer cohorts for Google.`,
  );
};
