import { map, type Observable, timeout } from 'rxjs';

import { readOr } from '../model/codecs';
import type { Settings } from '../model/config';
import { DefinedCohortsCodec, type IdsByName } from '../model/definedCohorts';
import type { Json } from '../model/json';

/**
 * Turns what the build has written of the project's cohorts into their ids by name. Names that several cohorts share
 * are left out. A text that does not decode has no names. Errors where the text has not come within `requestTimeout`.
 */
export const idsByName = (
  text$: Observable<string>,
  { setting, json }: { readonly setting: Settings; readonly json: Json },
) =>
  text$.pipe(
    timeout({ first: setting('requestTimeout') }),
    map((text): IdsByName => {
      const ids = new Map<string, readonly string[]>();
      for (const [id, { name }] of Object.entries(readOr(DefinedCohortsCodec, json.parse(text), {}, () => undefined)))
        if (name !== undefined) ids.set(name, [...(ids.get(name) ?? []), id]);
      return Object.fromEntries(
        [...ids].flatMap(([name, [id = '', ...others]]) => (others.length > 0 ? [] : [[name, id]])),
      );
    }),
  );
