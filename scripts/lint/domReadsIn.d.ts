import type ts from 'typescript';

/** One place that reads a member of a document or an element. */
export interface DomRead {
  /** The document or element that is read. */
  readonly node: ts.Node;
  /** The type of what is read, such as `Document` or `HTMLScriptElement`. */
  readonly owner: string;
  readonly member: string;
  /** Whether it is read past elements that hide it (`src/hardening/unclobbered.ts`). */
  readonly isUnclobbered: boolean;
}

export declare const domReadsIn: (file: ts.SourceFile, checker: ts.TypeChecker) => readonly DomRead[];
