import { codesFor, codesOf, type Cohorts } from '../model/cohorts';
import type { PageProject } from '../model/project';
import { partnerKeys } from '../model/storageKeys';

/** One step on the way of a cohort to a partner. */
export interface RouteStep {
  readonly what: string;
  /** Null where it cannot be seen on this page. */
  readonly holds: boolean | null;
}

/** The way of one cohort to one platform. */
export interface Route {
  readonly platform: string;
  readonly steps: readonly RouteStep[];
}

/** What a page tells of where its cohorts have arrived. */
export interface Arrived {
  /** A key of local storage as JSON. */
  readonly readKey: (key: string) => unknown;
  /** Values of Google's key `permutive`; undefined where there is no tag of Google's on the page. */
  readonly googleCodes: readonly string[] | undefined;
}

/** Where the codes of a platform are stored for it. */
const keyOfPlatform: Readonly<Record<string, string>> = {
  dfp: partnerKeys.googleAdManager,
  appnexus_adserver: partnerKeys.appnexus,
  rubicon_ssp: partnerKeys.rubicon,
  nativo: partnerKeys.nativo,
  freewheel: partnerKeys.freewheel,
};

/**
 * The ways of a cohort to the ad servers that it is meant for: member, eligible, stored key, and for Google the key
 * value itself. The first step that does not hold is the broken link.
 */
export const routesOf = (
  id: string,
  cohorts: Cohorts,
  project: Pick<PageProject, 'platformCohorts' | 'cohortCodes' | 'addons'>,
  { readKey, googleCodes }: Arrived,
): readonly Route[] => {
  const [code = id] = codesOf([id], project);
  const has = (list: unknown): boolean => Array.isArray(list) && list.map(String).includes(code);
  return Object.keys(keyOfPlatform)
    .filter(
      (platform) =>
        project.platformCohorts[platform]?.map(String).includes(id) === true ||
        codesFor(platform, cohorts, project).includes(code),
    )
    .map((platform) => {
      const key = keyOfPlatform[platform] ?? '';
      return {
        platform,
        steps: [
          { what: `the visitor is in cohort ${id}`, holds: cohorts.members.includes(id) },
          { what: `it goes to ${platform} as ${code}`, holds: codesFor(platform, cohorts, project).includes(code) },
          { what: `${key} holds ${code}`, holds: has(readKey(key)) },
          ...(platform === 'dfp'
            ? [
                {
                  what: `Google’s key permutive has ${code}`,
                  holds: googleCodes === undefined ? null : has(googleCodes),
                },
              ]
            : []),
        ],
      };
    });
};
