import { debounceTime, distinctUntilChanged, filter, map, merge, type Observable, startWith } from 'rxjs';

import type { PageEngine as Engine } from '../engine/engineInterface';
import { changeByTime, endsWith } from '../engine/evaluate/changeByTime';
import type { Machine } from '../engine/evaluate/machine';
import type { Query } from '../engine/evaluate/query';
import type { Json } from '../hardening/json';
import type { CohortEnds } from '../model/engineCommands';
import { type Effect, type Loaded, tell } from './effects';

/** Events move the ends, mostly to later times. The ends are looked for once events have ceased for so long. */
const quietMs = 1000;

/**
 * Tells the page when the visitor's cohorts end by themselves, whenever that has changed: at once with the cohorts, and
 * otherwise once events have ceased, or when the page may be going away.
 */
export const tellEnds = (
  effect$: Observable<Effect>,
  { engine }: Pick<Loaded, 'engine'>,
  { json }: { readonly json: Json },
): Observable<Effect> =>
  merge(
    effect$.pipe(
      filter(
        (effect) => effect.type === 'flushRequested' || (effect.type === 'tell' && effect.message.type === 'changed'),
      ),
    ),
    effect$.pipe(
      filter(({ type }) => type === 'evaluated' || type === 'stateChanged'),
      debounceTime(quietMs),
    ),
  ).pipe(
    startWith(null),
    map(() => endsOf(engine)),
    distinctUntilChanged((a, b) => json.stringify(a) === json.stringify(b)),
    map((ends) => tell({ type: 'ends', ends })),
  );

/** By cohort that the visitor is in, its end; cohorts that do not end by themselves are left out. */
export const endsOf = ({ parts: { machine } }: Engine): CohortEnds => {
  const ends: Record<string, CohortEnds[string]> = {};
  for (const query of machine.catalogue.queries.values()) {
    const end = query.result && endOf(query, machine);
    if (end) ends[query.id] = end;
  }
  return ends;
};

const endOf = (query: Query, machine: Machine): CohortEnds[string] | undefined => {
  if (endsWith('view', query, machine)) return { scope: 'view' };
  const at = changeByTime(query, machine);
  const time = at < Infinity ? { at } : undefined;
  return endsWith('session', query, machine) ? { scope: 'session', ...time } : time;
};
