import { addonList } from '../src/addons/addonList';
import type { Fault } from '../src/codecs/codecs';
import type { Definition } from '../src/engine/language/language';
import { isForMembers } from '../src/model/activation';
import type { ProjectDefinition } from '../src/model/project';

/** Addons that give their partner a list of codes, with the platform whose codes these are. */
export const platformOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(addonList).flatMap(([name, { activations }]) =>
    typeof activations === 'object' ? [[name, activations.platform]] : [],
  ),
);

/** Those addons, and the addons that give their partner a list of codes which may differ from page to page. */
const listAddons = Object.entries(addonList).flatMap(([name, { activations }]) =>
  activations === undefined || activations === 'changes' ? [] : [name],
);

const whileMember = 'EveryTime or OnEntry, because a partner has the code of a cohort while the visitor is in it';

/**
 * What such a list cannot do: it has the codes of the visitor's cohorts at each moment, so there is no exit. A platform
 * has them on each page, so there is no criterion of a page either. The same holds for activations of queries and for
 * those of addons.
 */
export const codeActivationFaults = (
  { activations }: ProjectDefinition,
  queries: readonly Definition[],
): readonly Fault[] => [
  ...queries.flatMap(({ id, activations: byPlatform = {} }) =>
    Object.entries(byPlatform)
      .filter(([, { trigger }]) => trigger === 'OnExit')
      .map(([platform]) => ({ path: `queries/${id}/activations/${platform}/trigger`, expected: whileMember })),
  ),
  ...listAddons.flatMap((addon) =>
    (activations[addon] ?? []).flatMap((activation, i) =>
      isForMembers(activation) ? [] : [{ path: `activations/${addon}/${i}/tt`, expected: whileMember }],
    ),
  ),
  ...Object.keys(platformOf).flatMap((addon) =>
    (activations[addon] ?? []).flatMap(({ sc, cc }, i) => {
      const path = `activations/${addon}/${i}`;
      return [
        ...(/^\d+$/.test(String(sc)) ? [] : [{ path: `${path}/sc`, expected: 'a cohort number' }]),
        ...(cc === undefined
          ? []
          : [{ path: `${path}/cc`, expected: 'no criteria, because a platform has its codes on all pages' }]),
      ];
    }),
  ),
];

/**
 * Adds the cohorts of the activation lists of such addons to those of their platforms, where the page looks for them.
 */
export const withCodeActivations = <Project extends Pick<ProjectDefinition, 'activations' | 'platformCohorts'>>(
  project: Project,
): Project => {
  const isOfCodes = (addon: string): boolean => Object.hasOwn(platformOf, addon);
  const activations = Object.fromEntries(Object.entries(project.activations).filter(([addon]) => !isOfCodes(addon)));
  const platformCohorts = { ...project.platformCohorts };
  for (const [addon, platform] of Object.entries(platformOf)) {
    const listed = (project.activations[addon] ?? []).map(({ sc }) => Number(sc));
    if (listed.length > 0) platformCohorts[platform] = [...new Set([...(platformCohorts[platform] ?? []), ...listed])];
  }
  return { ...project, activations, platformCohorts };
};
