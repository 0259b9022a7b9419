import { ownFields } from '../hardening/ownFields';
import type { Activation } from '../model/activation';
import type { ExperimentGroup } from '../model/cohort';
import { codesFor, codesOf, type Cohorts } from '../model/cohorts';
import type { CriteriaContext, meets } from '../model/contextCriteria';
import type { PageProject } from '../model/project';
import { partnerKeys } from '../model/storageKeys';
import { shortText } from './shortText';

/** One link on the way of a cohort to a partner. */
interface RouteStep {
  readonly what: string;
  /** Null where it cannot be seen on this page. */
  readonly holds: boolean | null;
  /** What there is in its place, where it does not hold or cannot be seen. */
  readonly reason: string;
}

/** The way of one cohort to one partner. Links after the broken one say nothing, whether they hold or not. */
export interface Route {
  readonly partner: string;
  readonly steps: readonly (RouteStep & { readonly state: 'holds' | 'broken' | 'after' | 'unseen' })[];
}

/** Codes by the name of a slot, a tag or a bidder. */
export type CodesByName = readonly (readonly [name: string, codes: readonly string[]])[];

/** What a page tells of where its cohorts have arrived. */
export interface Arrived {
  /** A key of local storage as JSON. */
  readonly readKey: (key: string) => unknown;
  /** Values of Google's key `permutive`; undefined where there is no tag of Google's on the page. */
  readonly googleCodes: readonly string[] | undefined;
  /** Google's slots that have a key `permutive` of their own, with its values. */
  readonly slotCodes: CodesByName;
  /** The codes of each ad request to Google that this log has, the latest last. */
  readonly adRequests: readonly (readonly string[])[];
  /** Values of the keyword `permutive` of each tag of AppNexus; undefined without its tag. */
  readonly appnexusCodes: CodesByName | undefined;
  /** The codes in each bid request of Prebid, by bidder; undefined without Prebid. */
  readonly bidRequests: CodesByName | undefined;
}

/** What the ways depend on beside the cohort. */
export interface RouteInput {
  readonly cohorts: Cohorts;
  /** The visitor's group, where the project has an experiment that is about the cohort. */
  readonly group?: ExperimentGroup | undefined;
  readonly project: Pick<PageProject, 'platformCohorts' | 'cohortCodes'>;
  /** The project's activations by addon. */
  readonly activations: PageProject['activations'];
  /** What context criteria are compared with. */
  readonly context: CriteriaContext;
  /** Compares them, as the addons do. */
  readonly meets: typeof meets;
  readonly arrived: Arrived;
}

/** Where the codes of a platform are stored for it. */
const keyOfPlatform: Readonly<Record<string, string>> = {
  dfp: partnerKeys.googleAdManager,
  appnexus_adserver: partnerKeys.appnexus,
  rubicon_ssp: partnerKeys.rubicon,
  nativo: partnerKeys.nativo,
  freewheel: partnerKeys.freewheel,
};
/** Platforms whose codes Prebid's module reads from one key, by the bidder of the same name. */
const bidders: readonly string[] = ['ix', 'openx', 'appnexus', 'pubmatic', 'google_pps'];

/**
 * The ways of a cohort to the partners that it is meant for: to ad servers and bidders by codes, to others by the
 * project's activations. The first link that does not hold is the broken one.
 */
export const routesOf = (id: string, input: RouteInput): readonly Route[] => [
  ...[...Object.keys(keyOfPlatform), ...bidders]
    .filter((platform) => isMeantFor(platform, id, input))
    .map((platform) => route(platform, platformSteps(platform, id, input))),
  ...Object.entries(input.activations).flatMap(([addon, list]) =>
    list
      .filter(({ sc }) => String(sc) === id)
      .map((activation) => route(`${addon} ${activation.short_id}`, activationSteps(activation, input))),
  ),
];

const route = (partner: string, steps: readonly RouteStep[]): Route => {
  const broken = steps.findIndex(({ holds }) => holds === false);
  return {
    partner,
    steps: steps.map((step, i) => ({
      ...step,
      state: i === broken ? 'broken' : broken !== -1 && i > broken ? 'after' : step.holds === null ? 'unseen' : 'holds',
    })),
  };
};

const shortCode = (id: string, { project }: RouteInput): string => codesOf([id], project)[0] ?? id;

const isMeantFor = (platform: string, id: string, input: RouteInput): boolean =>
  input.project.platformCohorts[platform]?.map(String).includes(id) === true ||
  codesFor(platform, input.cohorts, input.project).includes(shortCode(id, input));

const step = (what: string, holds: boolean | null, reason: string): RouteStep => ({ what, holds, reason });

const memberStep = (id: string, { cohorts }: RouteInput): RouteStep =>
  step(
    `the visitor is in cohort ${id}`,
    cohorts.members.includes(id),
    cohorts.isRealtime ? 'this page has found that the visitor is not in it' : 'the last page has not stored it',
  );

/** The link of an experiment that is about the cohort, in a list; an empty list without one. */
const toldSteps = (input: RouteInput): readonly RouteStep[] => {
  const { group } = ownFields(input);
  return group === undefined
    ? []
    : [step('page and partners are told of it', group === 'exposed', 'the visitor is in the control group')];
};

const platformSteps = (platform: string, id: string, input: RouteInput): readonly RouteStep[] => {
  const { cohorts, project, arrived } = input;
  const code = shortCode(id, input);
  const codes = codesFor(platform, cohorts, project);
  const key = keyOfPlatform[platform] ?? partnerKeys.ssps;
  const stored = textsIn(arrived.readKey(key));
  const pending = cohorts.isRealtime ? '' : ', and is written once this page has evaluated its cohorts';
  return [
    memberStep(id, input),
    ...toldSteps(input),
    step(`it is activated for ${platform}, as ${code}`, codes.includes(code), `${platform} gets ${shortList(codes)}`),
    step(`${key} in local storage has ${code}`, stored.includes(code), `it has ${shortList(stored)}${pending}`),
    ...(platform === 'dfp' ? googleSteps(code, arrived) : []),
    ...(platform === 'appnexus_adserver' ? [appnexusStep(code, arrived)] : []),
    ...(bidders.includes(platform) ? [bidStep(platform, code, arrived)] : []),
  ];
};

/** A link that holds where one of the lists has the code, and cannot be seen without any. */
const listedStep = (
  what: string,
  code: string,
  lists: readonly (readonly string[])[] | undefined,
  reasons: { readonly unseen: string; readonly missing: string },
): RouteStep =>
  lists === undefined
    ? step(`${what} ${code}`, null, reasons.unseen)
    : step(`${what} ${code}`, lists.flat().includes(code), reasons.missing);

const googleSteps = (code: string, { googleCodes, slotCodes, adRequests }: Arrived): readonly RouteStep[] => {
  const hidden = slotCodes.filter(([, codes]) => !codes.includes(code)).map(([slot]) => slot);
  const hides = `${shortList(hidden)} has its own, which hide those of the page`;
  return [
    listedStep('Google’s key permutive has', code, googleCodes && [googleCodes], {
      unseen: 'Google’s tag is not on the page',
      missing: `it has ${shortList(googleCodes ?? [])}`,
    }),
    ...(hidden.length > 0 ? [step('no slot has other values of the key', false, hides)] : []),
    listedStep('an ad request has carried', code, adRequests.length > 0 ? adRequests : undefined, {
      unseen: 'there is no AdRequest event in this log',
      missing: `${adRequests.length} went before the key had it; the latest carried ${shortList(adRequests.at(-1) ?? [])}`,
    }),
  ];
};

const appnexusStep = (code: string, { appnexusCodes: tags }: Arrived): RouteStep =>
  listedStep('a tag has the keyword permutive with', code, tags && codesIn(tags), {
    unseen: 'the tag of AppNexus is not on the page',
    missing: tags?.map(([tag, codes]) => `${tag} has ${shortList(codes)}`).join('; ') || 'no tag is defined',
  });

const bidStep = (bidder: string, code: string, { bidRequests }: Arrived): RouteStep => {
  const asked = codesIn(bidRequests?.filter(([name]) => name === bidder) ?? []);
  return listedStep(`a bid request to ${bidder} has carried`, code, asked.length > 0 ? asked : undefined, {
    unseen: bidRequests ? `Prebid has not asked ${bidder}` : 'Prebid is not on the page',
    missing: `it carried ${shortList(asked.at(-1) ?? [])}`,
  });
};

const codesIn = (named: CodesByName) => named.map(([, codes]) => codes);

const activationSteps = ({ sc, tt, cc }: Activation, input: RouteInput): readonly RouteStep[] => {
  const { context, cohorts, meets: holdsIn } = input;
  const isOut = !cohorts.members.includes(String(sc));
  const failing =
    cc?.criteria.filter((criterion) => !holdsIn({ operator: 'AND', criteria: [criterion] }, context)) ?? [];
  const differences = failing.map(
    ({ key, comparison, value }) => `${key} ${comparison} ${value}, and is ${shortText(context[key], 'absent')}`,
  );
  return [
    tt === 'OnExit'
      ? step(`the visitor has left cohort ${sc}`, isOut, 'the visitor is in it, and this is for those who leave')
      : memberStep(String(sc), input),
    ...toldSteps(input),
    ...(cc ? [step('the context criteria hold on this page', holdsIn(cc, context), differences.join('; '))] : []),
  ];
};

/** The texts of a stored list, or of the lists in a stored object. */
const textsIn = (stored: unknown): readonly string[] =>
  Array.isArray(stored)
    ? stored.map(String)
    : Object.values(stored ?? {}).flatMap((value: unknown) => (Array.isArray(value) ? value.map(String) : []));

/** Values that are named, at most. */
const maxListed = 6;

const shortList = (values: readonly string[]): string => {
  const rest = values.length > maxListed ? ` and ${values.length - maxListed} more` : '';
  return values.length === 0 ? 'nothing' : `${values.slice(0, maxListed).join(', ')}${rest}`;
};
