import ts from 'typescript';

import { functionsIn, type MeasuredFunction } from './functions';
import { modulesOf } from './imports';
import { linesOf } from './lines';
import { topLevelNames } from './names';

export interface MeasuredSource {
  readonly file: string;
  readonly codeLines: number;
  readonly commentLines: number;
  /** Characters of each line, comments and blank lines included. */
  readonly lineLengths: readonly number[];
  readonly modules: readonly string[];
  readonly names: readonly string[];
  readonly functions: readonly MeasuredFunction[];
}

export const measureSource = (file: string, text: string): MeasuredSource => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const lines = linesOf(source);
  return {
    file,
    codeLines: lines.code.size,
    commentLines: lines.comments.size,
    lineLengths: text.split('\n').map((line) => line.length),
    modules: modulesOf(source),
    names: topLevelNames(source),
    functions: functionsIn(source, lines),
  };
};
