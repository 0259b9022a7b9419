import { resolve } from 'node:path';
import ts from 'typescript';

/** The sources of the SDK, with the types that the compiler knows of them. */
export interface SourceProgram {
  readonly checker: ts.TypeChecker;
  /** All files of `src`. */
  readonly files: readonly ts.SourceFile[];
}

/** Whether a file is in `src`. */
export const isInSrc = (file: string, root: string): boolean => file.startsWith(`${root}/src/`);

/** Reads all files of `src` as the project's settings say. */
export const sourceProgram = (root: string): SourceProgram => {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    fileNames.filter((file) => isInSrc(file, root)),
    options,
  );
  return {
    checker: program.getTypeChecker(),
    files: program.getSourceFiles().filter(({ fileName }) => isInSrc(fileName, root)),
  };
};
