import { firstValueFrom, type Observable } from 'rxjs';

import { ownEntry } from '../hardening/ownFields';
import type { IdsByName } from '../model/definedCohorts';
import type { PublicArguments } from './publicArguments';

/** Finds the ids of the cohorts that a page means. */
export type CohortIds = ReturnType<typeof cohortIds>;

/** `idsByName$` is subscribed at the first name. The stream completes without a value where the names cannot be had. */
export const cohortIds = (given: PublicArguments, idsByName$: Observable<IdsByName>) => {
  let isAllowed = false;
  let idsByName: Promise<IdsByName | undefined> | undefined;
  const waiting: (() => void)[] = [];
  return {
    /**
     * Calls `use` with the id of a cohort: at once for a code. For a name, which has a space in it, it does so once the
     * names are known. A name that is unknown stays what it is, and no cohort has such an id. Without consent, no name
     * is known, because nothing is asked for; a caller that `waits` is called when there is consent.
     */
    withId: (method: string, code: unknown, use: (id: string) => void, waits = false): void => {
      const text = given.cohortId(method, code);
      const find = (): void => {
        idsByName ??= firstValueFrom(idsByName$, { defaultValue: undefined });
        void idsByName.then((ids) => {
          const id = ids && ownEntry(ids, text);
          if (ids && id === undefined) given.wrong(method, 0, 'the name of one cohort');
          use(id ?? text);
        });
      };
      if (!text.includes(' ')) use(text);
      else if (isAllowed) find();
      else if (waits) waiting.push(find);
      else use(text);
    },
    /** Whether there is consent. */
    setConsent: (isGiven: boolean): void => {
      isAllowed = isGiven;
      if (isGiven) for (const find of waiting.splice(0)) find();
    },
  };
};
