import { filter, map, mergeMap } from 'rxjs';

import { isRecord, readOr } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { consentAfter, consentKey, ConsentRecord } from '../../model/consent';
import type { Finding } from '../../model/finding';
import { maxVendor } from '../../model/tcf';
import { times } from '../../primitives/lists';
import { isOptOut, isUspOptOut } from '../../privacy/sharing';
import { type ApiName, consentApi } from '../../streams/visitor/consentApi';
import { disclosedVendors } from '../../streams/visitor/disclosedVendors';
import { fromTcf } from '../../streams/visitor/fromTcf';
import type { World } from '../../visit/world';
import { calledBack, valueWithin } from './askPage';
import { findingsAt } from './finding';

const atConsent = findingsAt('consent');

/** A platform that is there answers at once; a stub never does. In ms. */
const patience = 500;

/** What the visitor allows, as the page, its consent platforms and the browser say at this moment. */
export const consentFacts = async (world: World) => {
  const [tcf, disclosure, gpp, usp] = await Promise.all([
    asked(world, '__tcfapi', 'ping', tcfAnswer),
    disclosureOf(world),
    asked(world, '__gpp', 'ping', gppAnswer),
    asked(world, '__uspapi', 'getUSPData', (data) => (isUspOptOut(data) ? 'optedOut' : 'decided')),
  ]);
  return {
    isRequired: world.setting('consentRequired'),
    /** The visitor's answer to `permutive.consent`; `none` where nobody has asked, or nothing is stored. */
    answer: consentAnswer(world),
    /** The platform of the TCF. */
    tcf,
    /** What the string of that platform says of the vendors that were shown. */
    disclosure,
    /** Whether the browser sends Global Privacy Control, and the SDK respects it. */
    isGpc: world.setting('respectGpc') && world.page.privacyControl(),
    /** The platform of GPP, and whether the visitor has opted out with it. */
    gpp,
    /** The older US Privacy string. */
    usp,
    /** The platforms, such as `the TCF`, that are in a window around the page and not in its own. */
    around: platformsAround(world),
  };
};
export type ConsentFacts = Awaited<ReturnType<typeof consentFacts>>;

const tcfAnswer = ({ cmpStatus, displayStatus }: Readonly<Record<string, unknown>>) => {
  if (cmpStatus !== 'loaded') return 'silent';
  return displayStatus === 'visible' ? 'undecided' : 'decided';
};

const gppAnswer = ({ cmpStatus, signalStatus, parsedSections }: Readonly<Record<string, unknown>>) => {
  if (signalStatus !== 'ready') return cmpStatus === 'loaded' ? 'undecided' : 'silent';
  return isOptOut(parsedSections) ? 'optedOut' : 'decided';
};

/**
 * Whether the string of the platform names vendors that the visitor was shown: `unsaid` where it has no such segment,
 * `none` where the segment is empty, `unasked` where no decision is to be had.
 */
const disclosureOf = async (world: World): Promise<'unasked' | 'unsaid' | 'none' | 'some'> => {
  if (consentApi('__tcfapi', world) === undefined) return 'unasked';
  const decision$ = fromTcf(world).pipe(filter(({ status, gdprApplies }) => status === 'loaded' && gdprApplies));
  const disclosure$ = decision$.pipe(
    map(({ tcString }) => {
      const isDisclosed = disclosedVendors(tcString);
      if (isDisclosed === undefined) return 'unsaid';
      return times(maxVendor, (i) => i + 1).some(isDisclosed) ? 'some' : 'none';
    }),
  );
  return valueWithin(patience, disclosure$, 'unasked');
};

/** The stored answer. What cannot be read counts as a refusal, as it does for the SDK. */
const consentAnswer = ({ local, cookies, json }: World): 'none' | 'given' | 'refused' => {
  if (cookies.read(consentKey) !== undefined) return 'refused';
  const text = local.read(consentKey);
  if (text === null) return 'none';
  const parsed = json.parse(text);
  const record = readOr(ConsentRecord, parsed === NoJson ? undefined : parsed, undefined, () => undefined);
  return consentAfter(record, true, undefined) === 'given' ? 'given' : 'refused';
};

/**
 * What the platform of this window, or of one around it, says: `none` without one, `silent` where no record comes, else
 * what `judge` makes of its record.
 */
const asked = async <Answer>(
  world: World,
  name: ApiName,
  command: string,
  judge: (record: Readonly<Record<string, unknown>>) => Answer,
): Promise<Answer | 'none' | 'silent'> => {
  const ask$ = consentApi(name, world);
  if (ask$ === undefined) return 'none';
  const answers$ = ask$.pipe(mergeMap((ask) => calledBack((answer) => ask(command, answer))));
  const record = await valueWithin(patience, answers$, undefined);
  return isRecord(record) ? judge(record) : 'silent';
};

const platformNames = { __tcfapi: 'the TCF', __gpp: 'GPP', __uspapi: 'US Privacy' } as const;

/** Platforms that this window has not, and that were found by their locators. */
const platformsAround = (world: World): readonly string[] =>
  (Object.keys(platformNames) as ApiName[])
    .filter((name) => typeof world.page.global(name) !== 'function' && consentApi(name, world) !== undefined)
    .map((name) => platformNames[name]);

/** What is to be said of consent and of what the visitor allows. */
export const consentFindings = (consent: ConsentFacts): readonly Finding[] => [
  ...answerFindings(consent),
  ...tcfFindings(consent),
  ...atConsent.info(
    consent.around.length > 0,
    `The page is in a frame, and a window around it has the platform of ${consent.around.join(' and ')}`,
    'Nothing is wrong: the platform is found by its locator frame, and asked by messages.',
  ),
  ...atConsent.info(
    consent.isGpc || consent.gpp === 'optedOut' || consent.usp === 'optedOut',
    `The visitor has opted out of sharing, by ${heardOptOuts(consent).join(' and ')}`,
    'Nothing is wrong: cohorts are evaluated, and are not given to others.',
  ),
  ...(['gpp', 'usp'] as const).flatMap((name) =>
    atConsent.warning(
      consent[name] === 'silent' || consent[name] === 'undecided',
      `The platform of ${name === 'gpp' ? 'GPP' : 'US Privacy'} is on the page and has not answered`,
      'Nothing is shared with others until it answers. See that the script of the consent platform loads.',
    ),
  ),
];

const answerFindings = ({ isRequired, answer }: ConsentFacts): readonly Finding[] => [
  ...atConsent.error(
    isRequired && answer === 'none',
    'Consent is required, and the page has not given it',
    'Call permutive.consent({ opt_in: true, token }) once the visitor has agreed.',
  ),
  ...atConsent.warning(
    answer === 'refused',
    'The visitor has refused, so that nothing runs',
    'Nothing is wrong if the visitor did so. Call permutive.consent({ opt_in: true, token }) when they change their mind.',
  ),
];

const tcfFindings = ({ tcf, disclosure }: ConsentFacts): readonly Finding[] => [
  ...atConsent.info(
    tcf === 'none',
    'The page, and the windows around it, have no consent platform of the TCF, so that vendors are looked up without it',
    'Nothing, where the GDPR does not apply to the visitors. Elsewhere add a consent platform.',
  ),
  ...atConsent.warning(
    tcf === 'silent',
    'The consent platform of the TCF has left its stub, and does not answer',
    'See that the script of the consent platform loads. Until it answers, no third party is asked.',
  ),
  ...atConsent.info(
    tcf === 'undecided',
    'The visitor has not decided in the consent platform of the TCF',
    'Nothing: third parties are asked after the decision.',
  ),
  ...atConsent.warning(
    disclosure === 'unsaid',
    'The consent platform of the TCF does not say which vendors the visitor was shown',
    'The SDK takes all for shown. Buyers may refuse strings of TCF 2.2 that were made since March 2026: bring the platform up to TCF 2.3.',
  ),
  ...atConsent.warning(
    disclosure === 'none',
    'The consent platform of the TCF says that the visitor was shown no vendor, so that no vendor is told anything',
    'Look at the list of vendors in the settings of the platform. Where it has vendors, bring the platform up to date.',
  ),
];

const heardOptOuts = ({ isGpc, gpp, usp }: ConsentFacts): readonly string[] => [
  ...(isGpc ? ['Global Privacy Control'] : []),
  ...(gpp === 'optedOut' ? ['GPP'] : []),
  ...(usp === 'optedOut' ? ['US Privacy'] : []),
];
