import { map, type Observable, timeout } from 'rxjs';

import { readOr } from '../codecs/codecs';
import { DefinedCohorts, type IdsByName } from '../model/definedCohorts';
import type { Tools } from '../platform/platform';

/** Ids of cohorts by their names. Names that several cohorts share are left out. */
export const idsOfNames = (cohorts: DefinedCohorts): IdsByName => {
  const ids = new Map<string, readonly string[]>();
  for (const [id, { name }] of Object.entries(cohorts))
    if (name !== undefined) ids.set(name, [...(ids.get(name) ?? []), id]);
  return Object.fromEntries(
    [...ids].flatMap(([name, [id = '', ...others]]) => (others.length > 0 ? [] : [[name, id]])),
  );
};

/**
 * Turns what the build has written of the project's cohorts into their ids by name. A text that does not decode has no
 * names. Errors where the text has not come within `requestTimeout`.
 */
export const idsByName = (
  text$: Observable<string>,
  { setting, json }: Pick<Tools, 'setting' | 'json'>,
): Observable<IdsByName> =>
  text$.pipe(
    timeout({ first: setting('requestTimeout') }),
    map((text) => idsOfNames(readOr(DefinedCohorts, json.parse(text), {}, () => undefined))),
  );
