import { isRecord } from '../../model/codecs';
import { readOr } from '../../model/codecs';
import { consentAfter, consentKey, ConsentRecord } from '../../model/consent';
import { NoJson } from '../../model/json';
import { isOptOut, isUspOptOut } from '../../model/sharing';
import type { World } from '../../world';
import { calledBack, firstWithin } from './askPage';
import type { ConsentFacts } from './facts';

/** A platform that is there answers at once; a stub never does. In ms. */
const patience = 500;
const silence = Symbol('no answer');

type Platform = (...given: readonly unknown[]) => void;

/** What the visitor allows, as the page, its consent platforms and the browser say at this moment. */
export const consentFacts = async (world: World): Promise<ConsentFacts> => {
  const [tcf, gpp, usp] = await Promise.all([tcfOf(world), gppOf(world), uspOf(world)]);
  const navigator = world.page.global('navigator') as { readonly globalPrivacyControl?: unknown } | undefined;
  return {
    isRequired: world.setting('consentRequired'),
    answer: answerOf(world),
    tcf,
    isGpc: world.setting('respectGpc') && navigator?.globalPrivacyControl === true,
    gpp,
    usp,
  };
};

/** The stored answer. What cannot be read counts as a refusal, as it does for the SDK. */
const answerOf = ({ local, cookies, json }: World): ConsentFacts['answer'] => {
  if (cookies.read(consentKey) !== undefined) return 'refused';
  const text = local.read(consentKey);
  if (text === null) return 'none';
  const parsed = json.parse(text);
  const record = readOr(ConsentRecord, parsed === NoJson ? undefined : parsed, undefined, () => undefined);
  return consentAfter(record, true, undefined) === 'given' ? 'given' : 'refused';
};

const asked = (world: World, name: string, ask: (platform: Platform, answer: (data: unknown) => void) => void) => {
  const platform = world.page.global(name);
  return typeof platform === 'function'
    ? firstWithin(
        patience,
        calledBack((answer) => ask(platform as Platform, answer)),
        silence,
      )
    : Promise.resolve(undefined);
};

const tcfOf = async (world: World): Promise<ConsentFacts['tcf']> => {
  const ping = await asked(world, '__tcfapi', (tcfapi, answer) => tcfapi('ping', 2, answer));
  if (ping === undefined) return 'none';
  if (!isRecord(ping) || ping['cmpStatus'] !== 'loaded') return 'silent';
  return ping['displayStatus'] === 'visible' ? 'undecided' : 'decided';
};

const gppOf = async (world: World): Promise<ConsentFacts['gpp']> => {
  const ping = await asked(world, '__gpp', (gpp, answer) => gpp('ping', answer));
  if (ping === undefined) return 'none';
  if (!isRecord(ping)) return 'silent';
  if (ping['signalStatus'] !== 'ready') return ping['cmpStatus'] === 'loaded' ? 'undecided' : 'silent';
  return isOptOut(ping['parsedSections']) ? 'optedOut' : 'decided';
};

const uspOf = async (world: World): Promise<ConsentFacts['usp']> => {
  const data = await asked(world, '__uspapi', (uspapi, answer) => uspapi('getUSPData', 1, answer));
  if (data === undefined) return 'none';
  if (!isRecord(data)) return 'silent';
  return isUspOptOut(data) ? 'optedOut' : 'decided';
};
