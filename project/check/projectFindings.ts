import { addonList } from '../../src/addons/addonList';
import type { Definition } from '../../src/engine/language/language';
import { ownEntry } from '../../src/hardening/ownFields';
import type { ProjectDefinition } from '../../src/model/project';
import { isPersonalName } from '../../src/privacy/personalFields';
import { platformOf } from '../codeActivations';
import { platforms } from '../unknownNames';
import { doubtful, nearestName, type ProjectFinding, wrong } from './finding';

/**
 * What stands in a project definition beside its queries and can hardly be meant, though the build accepts it.
 * `outside`: names of addons that are built in beside those of the list.
 */
export const projectFindings = (
  page: ProjectDefinition,
  queries: readonly Definition[],
  outside: readonly string[],
): readonly ProjectFinding[] => [
  ...pixelIds(page),
  ...commasInSegments(page),
  ...unreadActivations(page, outside),
  ...unreadPlatforms(queries, outside),
  ...unknownNumbers(page, queries),
  ...codesTwice(page),
  ...longKeyValues(page, queries),
  ...oddContentParameters(page),
  ...idleExperiment(page),
];

/** Partners that cannot be told by one of several pixels of a page, with the reason. */
const withoutPixelId: Readonly<Record<string, string>> = {
  // https://developers.pinterest.com/docs/api-features/pinterest-tag/ (read on 2026-11-24): the base code, which has
  // the tag's id, appears once on a page, and an event names no tag. The image form of the tag has the id. The page
  // shows no image form for events of the publisher's own with properties.
  pinterest: 'Pinterest documents no call of its tag that names one of several',
  // https://docs.chord.co/twitter-ads, which goes by X's own help (read on 2026-11-24): an event is told by the id of
  // the event, `twq('event', EVENT_ID, …)`, and the call names no pixel.
  twitter_pixel: 'X documents no call that names one of several pixels',
};

/** The options and activations that name a pixel for such a partner. */
const pixelIds = ({ addons, activations }: ProjectDefinition): readonly ProjectFinding[] =>
  Object.entries(withoutPixelId).flatMap(([addon, reason]) => {
    const said = doubtful(`pixel_id has no effect, because ${reason}`, 'leave it out');
    const named = (config: Readonly<Record<string, unknown>> | undefined, path: string): readonly ProjectFinding[] =>
      ownEntry(config ?? {}, 'pixel_id') === undefined ? [] : [{ path: `${path}/pixel_id`, ...said }];
    return [
      ...named(addons[addon], `addons/${addon}`),
      ...(activations[addon] ?? []).flatMap(({ c, wc }, i) => [
        ...named(c, `activations/${addon}/${i}/c`),
        ...named(wc, `activations/${addon}/${i}/wc`),
      ]),
    ];
  });

/** Segments of the data layer whose names look like two in its list. */
const commasInSegments = ({ activations: { data_layer = [] } }: ProjectDefinition): readonly ProjectFinding[] =>
  data_layer.flatMap(({ c, wc }, i) =>
    Object.entries({ c, wc }).flatMap(([config, fields]) =>
      String(ownEntry(fields ?? {}, 'segment')).includes(',')
        ? [
            {
              path: `activations/data_layer/${i}/${config}/segment`,
              ...doubtful('a comma separates two segments in the list of the data layer', 'write it without a comma'),
            },
          ]
        : [],
    ),
  );

/** Addons that act for the lines of their activation list. */
const readers = Object.keys(addonList).filter((name) => addonList[name]?.activations !== undefined);

/** Lists of addons that read none, and of addons that are not built in because the definition does not name them. */
const unreadActivations = (
  { addons, activations }: ProjectDefinition,
  outside: readonly string[],
): readonly ProjectFinding[] =>
  Object.entries(activations)
    .filter(([addon, list]) => list.length > 0 && !outside.includes(addon))
    .flatMap(([addon]) => {
      const path = `activations/${addon}`;
      if (!readers.includes(addon))
        return [
          { path, ...doubtful(`the addon ${addon} reads no activations`, `use one of ${readers.join(', ')}, or none`) },
        ];
      return Object.hasOwn(addons, addon) || Object.hasOwn(platformOf, addon)
        ? []
        : [{ path, ...doubtful(`the addon ${addon} is not built in`, `add "${addon}": {} to addons`) }];
    });

/** Platforms that are told of a query's cohort by its own `activations`. */
const unreadPlatforms = (queries: readonly Definition[], outside: readonly string[]): readonly ProjectFinding[] => {
  const read = new Set<string>([...platforms, ...Object.values(platformOf), 'google_pps', 'prebid_data', ...outside]);
  return queries.flatMap(({ id, activations = {} }) =>
    Object.keys(activations)
      .filter((platform) => !read.has(platform))
      .map((platform) => ({
        path: `queries/${id}/activations/${platform}`,
        ...wrong(
          `nobody reads the codes of ${platform}`,
          readers.includes(platform) ? `add a line to activations.${platform}` : `use one of ${[...read].join(', ')}`,
        ),
      })),
  );
};

/** Numbers of cohorts that nothing in the definition finds. A service may find them. */
const unknownNumbers = (page: ProjectDefinition, queries: readonly Definition[]): readonly ProjectFinding[] => {
  const known = new Set([
    ...queries.map(({ id }) => id),
    ...Object.keys(page.cohortCodes),
    ...Object.values(page.models).map(String),
    ...Object.keys(page.cohortNames ?? {}),
  ]);
  const unknown = (path: string, id: string): readonly ProjectFinding[] => {
    if (known.has(id)) return [];
    const nearest = nearestName(id, known);
    const meant = nearest === undefined ? '' : `write ${nearest}, or `;
    const fix = `${meant}name it in cohortNames if a service finds it`;
    return [{ path, ...doubtful(`nothing in the definition finds the cohort ${id}`, fix) }];
  };
  return [
    ...Object.entries(page.platformCohorts).flatMap(([platform, ids]) =>
      ids.flatMap((id, i) => unknown(`platformCohorts/${platform}/${i}`, String(id))),
    ),
    ...Object.entries(page.activations).flatMap(([addon, list]) =>
      list.flatMap(({ sc }, i) => unknown(`activations/${addon}/${i}/sc`, String(sc))),
    ),
    ...(page.controlGroup?.cohorts ?? []).flatMap((id, i) => unknown(`controlGroup/cohorts/${i}`, id)),
    ...Object.keys(page.taxonomies ?? {}).flatMap((id) => unknown(`taxonomies/${id}`, id)),
    ...Object.entries(page.pps ?? {}).flatMap(([taxonomy, ids]) =>
      Object.keys(ids).flatMap((id) => unknown(`pps/${taxonomy}/${id}`, id)),
    ),
  ];
};

/** Codes and numbers by which a partner could not tell two cohorts apart. */
const codesTwice = ({ cohortCodes, models }: ProjectDefinition): readonly ProjectFinding[] => {
  const repeated = (table: Readonly<Record<string, string | number>>, path: string, what: string) => {
    const firsts = new Map<string | number, string>();
    return Object.entries(table).flatMap(([key, value]) => {
      const first = firsts.get(value);
      if (first === undefined) firsts.set(value, key);
      return first === undefined
        ? []
        : [{ path: `${path}/${key}`, ...wrong(`${first} has the same ${what} ${value}`, `give each its own ${what}`) }];
    });
  };
  return [...repeated(cohortCodes, 'cohortCodes', 'code'), ...repeated(models, 'models', 'number')];
};

/**
 * Characters of a key value that Google Ad Manager takes.
 * https://support.google.com/admanager/answer/10020177 (read on 2026-11-24): values have up to 40 characters.
 */
const longestValue = 40;

/** Codes that Google Ad Manager would not take. */
const longKeyValues = (page: ProjectDefinition, queries: readonly Definition[]): readonly ProjectFinding[] => {
  const activated = new Set([
    ...(page.platformCohorts['dfp'] ?? []).map(String),
    ...(page.activations['dfp'] ?? []).map(({ sc }) => String(sc)),
    ...queries.filter(({ activations = {} }) => Object.hasOwn(activations, 'dfp')).map(({ id }) => id),
  ]);
  return [...activated].flatMap((id) => {
    const code = ownEntry(page.cohortCodes, id);
    return (code ?? id).length <= longestValue
      ? []
      : [
          {
            path: code === undefined ? `queries/${id}/id` : `cohortCodes/${id}`,
            ...wrong(
              `the ad server takes values of up to ${longestValue} characters, and this one has ${(code ?? id).length}`,
              'choose a shorter one',
            ),
          },
        ];
  });
};

/** An experiment that is about no cohort. */
const idleExperiment = ({ controlGroup }: ProjectDefinition): readonly ProjectFinding[] =>
  controlGroup?.cohorts?.length === 0
    ? [
        {
          path: 'controlGroup/cohorts',
          ...doubtful('the experiment is about no cohort', 'name some, or leave the list out for all'),
        },
      ]
    : [];

/** Parameters that no address has, and those whose names say that they hold something of a person's. */
const oddContentParameters = ({ contentParameters = [] }: ProjectDefinition): readonly ProjectFinding[] =>
  contentParameters.flatMap((name, i) => {
    const path = `contentParameters/${i}`;
    if (!/^[^?&=#]+$/.test(name))
      return [{ path, ...wrong('no parameter has this name', 'write the name alone, as addresses have it') }];
    return isPersonalName(name)
      ? [
          {
            path,
            ...doubtful(
              'by its name, this parameter may hold something of the visitor, and services of the page are told it',
              'leave it out unless it says which page it is',
            ),
          },
        ]
      : [];
  });
