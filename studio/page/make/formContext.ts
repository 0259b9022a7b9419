import { createContext, useContext } from 'react';

import type { ProjectFinding } from '../../../project/check/finding';
import type { Vocabulary } from '../../protocol';
import type { Path } from '../form/edit';
import type { Form } from '../form/form';

/** What all parts of a form read. */
export interface FormGiven {
  readonly vocabulary: Vocabulary;
  readonly cohorts: readonly { readonly id: string; readonly name: string | undefined }[];
  /** By the path of a part, what is wrong with it. */
  readonly findings: ReadonlyMap<string, readonly ProjectFinding[]>;
  /** Puts another part in place of one; `undefined` removes it. */
  readonly onPart: (path: Path, part: Form | undefined) => void;
}

const Context = createContext({} as FormGiven);
export const FormProvider = Context.Provider;
export const useForm = (): FormGiven => useContext(Context);
