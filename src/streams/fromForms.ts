import { mergeMap, type Observable, share } from 'rxjs';
import { type FormContent, formContent } from '../model/formContent';
import type { Listen } from '../platform/platform';

/** Hot while anyone listens: forms that are submitted, without what must not be told. */
export const fromForms = (listen: Listen): Observable<FormContent> =>
  listen('document', 'submit').pipe(
    mergeMap((event) => {
      try {
        return [formContent((event as SubmitEvent).target as Element)];
      } catch {
        // Some libraries dispatch a `submit` that is no form's.
        return [];
      }
    }),
    share(),
  );
