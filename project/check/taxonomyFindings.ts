import { googleTaxonomies } from '../../src/addons/adServer/taxonomies';
import { ownEntry } from '../../src/hardening/ownFields';
import type { ProjectDefinition } from '../../src/model/project';
import { lastNameOf, publishedName, publishedTaxonomies, type PublishedTaxonomy } from '../taxonomies/published';
import { doubtful, nearestName, type ProjectFinding, type Said, wrong } from './finding';

/**
 * What names no entry of a taxonomy. Values of `pps` are doubted alone, because builds have always taken any text
 * there.
 */
export const taxonomyFindings = ({ taxonomies = {}, pps = {} }: ProjectDefinition): readonly ProjectFinding[] => [
  ...Object.entries(taxonomies).flatMap(([cohort, entries]) => {
    const path = `taxonomies/${cohort}`;
    if (!/^[\dA-Za-z][\w-]*$/.test(cohort)) return [{ path, ...wrong('expected a cohort number or code', '') }];
    return entries.flatMap(({ segtax, id }, i) => entryFindings(`${path}/${i}`, segtax, id));
  }),
  ...Object.entries(pps).flatMap(([name, ids]) => {
    const segtax = ownEntry(googleTaxonomies, name);
    const taxonomy = ownEntry(publishedTaxonomies, String(segtax));
    return Object.entries(ids).flatMap(([cohort, id]) =>
      segtax === undefined || taxonomy === undefined || isPublished(segtax, id)
        ? []
        : [{ path: `pps/${name}/${cohort}`, ...unknownEntry(doubtful, taxonomy, id) }],
    );
  }),
];

/** Taxonomies of vendors have numbers from here on: `segtax.md` of OpenRTB, read on 2026-11-30. */
const firstOfVendors = 500;

const entryFindings = (path: string, segtax: number, id: string): readonly ProjectFinding[] => {
  const taxonomy = ownEntry(publishedTaxonomies, String(segtax));
  if (taxonomy !== undefined)
    return isPublished(segtax, id) ? [] : [{ path: `${path}/id`, ...unknownEntry(wrong, taxonomy, id) }];
  const numbers = Object.keys(publishedTaxonomies).join(', ');
  const fix = `take one of ${numbers}, or the number of a vendor's taxonomy, from ${firstOfVendors} on`;
  if (!Number.isInteger(segtax) || segtax < 1)
    return [{ path: `${path}/segtax`, ...wrong('expected the number of a taxonomy in OpenRTB', fix) }];
  return [
    ...(segtax < firstOfVendors
      ? [
          {
            path: `${path}/segtax`,
            ...doubtful(`no entry of taxonomy ${segtax} is known here, so none is checked`, fix),
          },
        ]
      : []),
    ...(/^[\w.:-]{1,64}$/.test(id)
      ? []
      : [{ path: `${path}/id`, ...wrong(`expected the id of an entry of taxonomy ${segtax}`, '') }]),
  ];
};

const isPublished = (segtax: number, id: string): boolean => publishedName({ segtax, id }) !== undefined;

const unknownEntry = (say: (message: string, fix: string) => Said, taxonomy: PublishedTaxonomy, id: string): Said => {
  const meant = meantEntries(taxonomy, id).map(([name, meantId]) => `${meantId} for ${name}`);
  return say(
    `the ${taxonomy.name} has no entry ${id}`,
    meant.length === 0 ? `take an id of ${source}` : `write ${meant.join(', or ')}`,
  );
};

const source = 'https://github.com/InteractiveAdvertisingBureau/Taxonomies';

/** The entries whose whole names are a text that is no id, or else whose last names are most like it. */
const meantEntries = ({ ids }: PublishedTaxonomy, text: string): readonly (readonly [name: string, id: string])[] => {
  const entries = Object.entries(ids);
  const whole = entries.filter(([name]) => name.toLowerCase() === text.toLowerCase());
  if (whole.length > 0) return whole;
  const nearest = nearestName(
    text,
    entries.map(([name]) => lastNameOf(name)),
  );
  return entries.filter(([name]) => lastNameOf(name) === nearest);
};
