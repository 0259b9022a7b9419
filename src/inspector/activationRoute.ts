import type { Activation } from '../model/activation';
import { codesFor, codesOf, type Cohorts } from '../model/cohorts';
import type { CriteriaContext, meets } from '../model/contextCriteria';
import type { PageProject } from '../model/project';
import { partnerKeys } from '../model/storageKeys';

/** One link on the way of a cohort to a partner. */
export interface RouteStep {
  readonly what: string;
  /** Null where it cannot be seen on this page. */
  readonly holds: boolean | null;
  /** What there is in its place, where it does not hold or cannot be seen. */
  readonly reason: string;
}

/** A link as it is shown. Links after the broken one say nothing, whether they hold or not. */
export interface ShownStep extends RouteStep {
  readonly state: 'holds' | 'broken' | 'after' | 'unseen';
}

/** The way of one cohort to one partner. */
export interface Route {
  readonly partner: string;
  readonly steps: readonly ShownStep[];
}

/** What a page tells of where its cohorts have arrived. */
export interface Arrived {
  /** A key of local storage as JSON. */
  readonly readKey: (key: string) => unknown;
  /** Values of Google's key `permutive`; undefined where there is no tag of Google's on the page. */
  readonly googleCodes: readonly string[] | undefined;
  /** Google's slots that have a key `permutive` of their own, with its values. */
  readonly slotCodes: readonly (readonly [slot: string, codes: readonly string[]])[];
  /** The codes of each ad request to Google that this log has, the latest last. */
  readonly adRequests: readonly (readonly string[])[];
  /** Values of the keyword `permutive` of each tag of AppNexus; undefined without its tag. */
  readonly appnexusCodes: readonly (readonly [tag: string, codes: readonly string[]])[] | undefined;
  /** The codes in each bid request of Prebid, by bidder; undefined without Prebid. */
  readonly bidRequests: readonly (readonly [bidder: string, codes: readonly string[]])[] | undefined;
}

/** What the ways depend on beside the cohort. */
export interface RouteInput {
  readonly cohorts: Cohorts;
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

const memberStep = (id: string, { cohorts }: RouteInput): RouteStep => ({
  what: `the visitor is in cohort ${id}`,
  holds: cohorts.members.includes(id),
  reason: cohorts.isRealtime ? 'this page has found that the visitor is not in it' : 'the last page has not stored it',
});

const platformSteps = (platform: string, id: string, input: RouteInput): readonly RouteStep[] => {
  const { cohorts, project, arrived } = input;
  const code = shortCode(id, input);
  const codes = codesFor(platform, cohorts, project);
  const key = keyOfPlatform[platform] ?? partnerKeys.ssps;
  const stored = textsIn(arrived.readKey(key));
  return [
    memberStep(id, input),
    {
      what: `it is activated for ${platform}, as ${code}`,
      holds: codes.includes(code),
      reason: `${platform} gets ${shortList(codes)}`,
    },
    {
      what: `${key} in local storage has ${code}`,
      holds: stored.includes(code),
      reason: cohorts.isRealtime
        ? `it has ${shortList(stored)}`
        : `it has ${shortList(stored)}, and is written once this page has evaluated its cohorts`,
    },
    ...(platform === 'dfp' ? googleSteps(code, arrived) : []),
    ...(platform === 'appnexus_adserver' ? appnexusSteps(code, arrived) : []),
    ...(bidders.includes(platform) ? bidSteps(platform, code, arrived) : []),
  ];
};

const googleSteps = (code: string, { googleCodes, slotCodes, adRequests }: Arrived): readonly RouteStep[] => {
  const hidden = slotCodes.filter(([, codes]) => !codes.includes(code)).map(([slot]) => slot);
  return [
    {
      what: `Google’s key permutive has ${code}`,
      holds: googleCodes === undefined ? null : googleCodes.includes(code),
      reason: googleCodes === undefined ? 'Google’s tag is not on the page' : `it has ${shortList(googleCodes)}`,
    },
    ...(hidden.length > 0
      ? [
          {
            what: 'no slot has other values of the key',
            holds: false,
            reason: `${shortList(hidden)} has its own, which hide those of the page`,
          },
        ]
      : []),
    {
      what: `an ad request has carried ${code}`,
      holds: adRequests.length === 0 ? null : adRequests.some((codes) => codes.includes(code)),
      reason:
        adRequests.length === 0
          ? 'there is no AdRequest event in this log'
          : `${adRequests.length} went before the key had it; the latest carried ${shortList(adRequests.at(-1) ?? [])}`,
    },
  ];
};

const appnexusSteps = (code: string, { appnexusCodes }: Arrived): readonly RouteStep[] => [
  {
    what: `a tag has the keyword permutive with ${code}`,
    holds: appnexusCodes === undefined ? null : appnexusCodes.some(([, codes]) => codes.includes(code)),
    reason:
      appnexusCodes === undefined
        ? 'the tag of AppNexus is not on the page'
        : appnexusCodes.length === 0
          ? 'no tag is defined'
          : appnexusCodes.map(([tag, codes]) => `${tag} has ${shortList(codes)}`).join('; '),
  },
];

const bidSteps = (bidder: string, code: string, { bidRequests }: Arrived): readonly RouteStep[] => {
  const asked = bidRequests?.filter(([name]) => name === bidder);
  return [
    {
      what: `a bid request to ${bidder} has carried ${code}`,
      holds: asked === undefined || asked.length === 0 ? null : asked.some(([, codes]) => codes.includes(code)),
      reason:
        asked === undefined
          ? 'Prebid is not on the page'
          : asked.length === 0
            ? `Prebid has not asked ${bidder}`
            : `it carried ${shortList(asked.at(-1)?.[1] ?? [])}`,
    },
  ];
};

const activationSteps = (activation: Activation, input: RouteInput): readonly RouteStep[] => {
  const { sc, tt, cc } = activation;
  const { context } = input;
  const failing =
    cc?.criteria.filter((criterion) => !input.meets({ operator: 'AND', criteria: [criterion] }, context)) ?? [];
  return [
    tt === 'OnExit'
      ? {
          what: `the visitor has left cohort ${sc}`,
          holds: !input.cohorts.members.includes(String(sc)),
          reason: 'the visitor is in it, and this is for those who leave',
        }
      : memberStep(String(sc), input),
    ...(cc === undefined
      ? []
      : [
          {
            what: 'the context criteria hold on this page',
            holds: input.meets(cc, context),
            reason: failing
              .map(({ key, comparison, value }) => `${key} ${comparison} ${value}, and is ${scalarText(context[key])}`)
              .join('; '),
          },
        ]),
  ];
};

const scalarText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'absent';

/** The texts of a stored list, or of the lists in a stored object. */
const textsIn = (stored: unknown): readonly string[] =>
  Array.isArray(stored)
    ? stored.map(String)
    : typeof stored === 'object' && stored !== null
      ? Object.values(stored).flatMap((value: unknown) => (Array.isArray(value) ? value.map(String) : []))
      : [];

/** Values that are named, at most. */
const maxListed = 6;

const shortList = (values: readonly string[]): string =>
  values.length === 0
    ? 'nothing'
    : values.slice(0, maxListed).join(', ') +
      (values.length > maxListed ? ` and ${values.length - maxListed} more` : '');
