import { resolve } from 'node:path';
import ts from 'typescript';

import { kitFile, kitName, sharedPackages } from './kit';

/** Files of packages do not change while a build runs again and again: each is parsed once. */
const packageFiles = new Map<string, ts.SourceFile | undefined>();

/**
 * What the compiler says against the files and what they import, one line each, with file and line. The kit and the
 * packages that an addon shares with the SDK are found wherever the files lie. The options are those of the SDK itself.
 */
export const typeFaults = (files: readonly string[], root: string): readonly string[] => {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: unknown;
  };
  const { options: own } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const options: ts.CompilerOptions = { ...own, types: [], noEmit: true };
  const host = ts.createCompilerHost(options);
  const resolved = (name: string, importer: string): ts.ResolvedModuleWithFailedLookupLocations =>
    name === kitName
      ? { resolvedModule: { resolvedFileName: kitFile(root), extension: ts.Extension.Ts } }
      : ts.resolveModuleName(name, sharedPackages.test(name) ? kitFile(root) : importer, options, host);
  const program = ts.createProgram(files, options, {
    ...host,
    getSourceFile: (file, ...how) => {
      if (!file.includes('/node_modules/')) return host.getSourceFile(file, ...how);
      if (!packageFiles.has(file)) packageFiles.set(file, host.getSourceFile(file, ...how));
      return packageFiles.get(file);
    },
    resolveModuleNameLiterals: (literals, importer) => literals.map(({ text }) => resolved(text, importer)),
  });
  const isOutside = ({ fileName, isDeclarationFile }: ts.SourceFile): boolean =>
    !isDeclarationFile && !fileName.startsWith(`${resolve(root, 'src')}/`) && !fileName.includes('/node_modules/');
  return program
    .getSourceFiles()
    .filter(isOutside)
    .flatMap((source) => [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)])
    .map((fault) => ts.formatDiagnostic(fault, { ...host, getCurrentDirectory: () => root }).trim());
};
