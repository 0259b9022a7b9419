import { ignoreElements, type Observable, tap } from 'rxjs';

import { idsOf } from '../engine/language/canonicalLanguage';
import type { Effect, Loaded } from './effects';
import { evaluatedEvents, type ServedEngine } from './servedEngine';
import { validation } from './validation';

/** The maximum number of mismatches that are reported of one validation. */
const maxReported = 20;

/** Runs the validation in sessions that are drawn, and reports the ids of queries that differ. */
export const runValidation = (
  effect$: Observable<Effect>,
  { chunk, past, input, context }: Loaded,
  { runner, deps }: ServedEngine,
): Observable<never> =>
  validation(
    evaluatedEvents(effect$),
    {
      session: context().session.id,
      remembered: chunk.validation,
      remember: (progress) => runner.note({ validation: progress }),
      ids: idsOf(deps.bundle),
      input,
      stored: runner.lastWrite,
      past,
    },
    deps,
  ).pipe(
    tap(({ mismatches }) => {
      for (const id of mismatches.slice(0, maxReported)) deps.report(`Query Language: validation mismatch ${id}`);
    }),
    ignoreElements(),
  );
