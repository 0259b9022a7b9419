import { addonList } from '../src/addons/addonList';
import { googleTaxonomies } from '../src/addons/adServer/taxonomies';
import { serviceInputs } from '../src/api/serviceInputs';
import type { Fault } from '../src/codecs/codecs';
import type { Definition } from '../src/engine/language/language';
import { ownEntry } from '../src/hardening/ownFields';
import type { ProjectDefinition } from '../src/model/project';

/** Platforms that have a list of cohorts and no addon of their own. */
export const platforms = [
  'rubicon_ssp',
  'ix',
  'openx',
  'appnexus',
  'pubmatic',
  'curation_platforms',
  'segment_sync',
  'amp',
] as const;

/** Names that look like those of a platform and that nothing reads, with what to write. */
const misnamed: Readonly<Record<string, string>> = {
  rubicon: 'rubicon_ssp, the platform whose codes the addon rubicon keeps',
  index: 'ix, or activations of local_storage with the storage_key _pindexs',
};

/** Names that definitions and pages use as those of addons. */
export const addonNames: readonly string[] = [...Object.keys(addonList), ...serviceInputs];

/**
 * Names that stand in a definition and mean nothing, such as those of an addon, a platform or a model. `outside`: names
 * of addons that are built in beside those of the list.
 */
export const unknownNames = (
  page: ProjectDefinition,
  queries: readonly Definition[],
  outside: readonly string[] = [],
): readonly Fault[] => {
  const addons = [...addonNames, ...outside];
  const platformNames = [...new Set([...addons, ...platforms])].filter((name) => !Object.hasOwn(misnamed, name));
  const unlisted = (path: string, names: readonly string[], known: readonly string[], what: string): readonly Fault[] =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: `${path}/${name}`, expected: `${what}, one of ${known.join(', ') || 'none'}` }));
  const noPlatforms = (path: string, names: readonly string[], what = 'a platform'): readonly Fault[] => [
    ...unlisted(
      path,
      names.filter((name) => !Object.hasOwn(misnamed, name)),
      platformNames,
      what,
    ),
    ...names.flatMap((name) => {
      const expected = ownEntry(misnamed, name);
      return expected === undefined ? [] : [{ path: `${path}/${name}`, expected }];
    }),
  ];
  const keysOf = (table: object): readonly string[] => Object.keys(table);
  return [
    ...unlisted('addons', keysOf(page.addons), addons, 'an addon'),
    ...unlisted('activations', keysOf(page.activations), addons, 'an addon'),
    ...noPlatforms('platformCohorts', keysOf(page.platformCohorts)),
    ...noPlatforms('optimisedActivationsConfig', keysOf(page.optimisedActivationsConfig)),
    ...unlisted('pps', keysOf(page.pps ?? {}), keysOf(googleTaxonomies), 'a taxonomy'),
    ...Object.entries(page.pps ?? {}).flatMap(([taxonomy, ids]) =>
      keysOf(ids)
        .filter((id) => !/^\d+$/.test(id))
        .map((id) => ({ path: `pps/${taxonomy}/${id}`, expected: 'a cohort number' })),
    ),
    ...queries.flatMap(({ id, q, sub, activations = {} }) => {
      const [providers, models] = namesIn([q, sub]);
      return [
        ...noPlatforms(`queries/${id}/activations`, keysOf(activations), 'an addon or platform'),
        ...unlisted(`queries/${id}/thirdParty/provider`, providers, page.tpdProviders, 'a name of tpdProviders'),
        ...unlisted(`queries/${id}/lookalike/model`, models, keysOf(page.models), 'a key of models'),
      ];
    }),
  ];
};

/** The third-party providers and the models that stand anywhere in an expression, each once. */
const namesIn = (expression: unknown): readonly [providers: readonly string[], models: readonly string[]] => {
  const [providers, models] = [new Set<string>(), new Set<string>()];
  const search = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { thirdParty, lookalike } = node as {
      readonly thirdParty?: { readonly provider: string };
      readonly lookalike?: { readonly model: string };
    };
    if (thirdParty) providers.add(thirdParty.provider);
    if (lookalike) models.add(lookalike.model);
    Object.values(node).forEach(search);
  };
  search(expression);
  return [[...providers], [...models]];
};
