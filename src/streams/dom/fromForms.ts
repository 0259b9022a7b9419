import { mergeMap, type Observable, share } from 'rxjs';

import type { FormContent } from '../../model/pageSignal';
import type { Listen } from '../../platform/platform';
import { formContent } from './formContent';

/** Emits each submitted form, without its personal fields. Hot while anyone listens. */
export const fromForms = (listen: Listen): Observable<FormContent> =>
  listen('document', 'submit').pipe(
    mergeMap((event) => {
      try {
        return [formContent((event as SubmitEvent).target as Element)];
      } catch {
        // Some libraries dispatch `submit` on an element that is no form.
        return [];
      }
    }),
    share(),
  );
