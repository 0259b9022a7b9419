import { mergeMap } from 'rxjs';

import { isRecord, readOr } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { consentAfter, consentKey, ConsentRecord } from '../../model/consent';
import { isOptOut, isUspOptOut } from '../../privacy/sharing';
import { type ApiName, consentApi } from '../../streams/visitor/consentApi';
import type { World } from '../../visit/world';
import { calledBack, valueWithin } from './askPage';
import type { ConsentFacts } from './facts';

/** A platform that is there answers at once; a stub never does. In ms. */
const patience = 500;
const silence = Symbol('no answer');

/** What the visitor allows, as the page, its consent platforms and the browser say at this moment. */
export const consentFacts = async (world: World): Promise<ConsentFacts> => {
  const [tcf, gpp, usp] = await Promise.all([tcfOf(world), gppOf(world), uspOf(world)]);
  const navigator = world.page.global('navigator') as { readonly globalPrivacyControl?: unknown } | undefined;
  return {
    isRequired: world.setting('consentRequired'),
    answer: storedAnswer(world),
    tcf,
    isGpc: world.setting('respectGpc') && navigator?.globalPrivacyControl === true,
    gpp,
    usp,
    around: platformsAround(world),
  };
};

/** The stored answer. What cannot be read counts as a refusal, as it does for the SDK. */
const storedAnswer = ({ local, cookies, json }: World): ConsentFacts['answer'] => {
  if (cookies.read(consentKey) !== undefined) return 'refused';
  const text = local.read(consentKey);
  if (text === null) return 'none';
  const parsed = json.parse(text);
  const record = readOr(ConsentRecord, parsed === NoJson ? undefined : parsed, undefined, () => undefined);
  return consentAfter(record, true, undefined) === 'given' ? 'given' : 'refused';
};

/** What the platform of this window, or of one around it, says; undefined where there is none. */
const asked = (world: World, name: ApiName, command: string): Promise<unknown> => {
  const ask$ = consentApi(name, world);
  return ask$
    ? valueWithin(patience, ask$.pipe(mergeMap((ask) => calledBack((answer) => ask(command, answer)))), silence)
    : Promise.resolve(undefined);
};

const tcfOf = async (world: World): Promise<ConsentFacts['tcf']> => {
  const ping = await asked(world, '__tcfapi', 'ping');
  if (ping === undefined) return 'none';
  if (!isRecord(ping) || ping['cmpStatus'] !== 'loaded') return 'silent';
  return ping['displayStatus'] === 'visible' ? 'undecided' : 'decided';
};

const gppOf = async (world: World): Promise<ConsentFacts['gpp']> => {
  const ping = await asked(world, '__gpp', 'ping');
  if (ping === undefined) return 'none';
  if (!isRecord(ping)) return 'silent';
  if (ping['signalStatus'] !== 'ready') return ping['cmpStatus'] === 'loaded' ? 'undecided' : 'silent';
  return isOptOut(ping['parsedSections']) ? 'optedOut' : 'decided';
};

const uspOf = async (world: World): Promise<ConsentFacts['usp']> => {
  const data = await asked(world, '__uspapi', 'getUSPData');
  if (data === undefined) return 'none';
  if (!isRecord(data)) return 'silent';
  return isUspOptOut(data) ? 'optedOut' : 'decided';
};

const platformNames = { __tcfapi: 'the TCF', __gpp: 'GPP', __uspapi: 'US Privacy' } as const;

/** Platforms that this window has not, and that were found by their locators. */
const platformsAround = (world: World): readonly string[] =>
  (Object.keys(platformNames) as ApiName[])
    .filter((name) => typeof world.page.global(name) !== 'function' && consentApi(name, world) !== undefined)
    .map((name) => platformNames[name]);
