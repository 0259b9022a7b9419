import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The variable with the folder into which the package is installed. */
export const consumerVariable = 'PERMUTIVE_CONSUMER';

/** A folder with the package installed, outside of the repository, as a user of it has one. */
const consumer = (): string => {
  const folder = process.env[consumerVariable];
  if (folder === undefined) throw new Error('There is no consumer: run these tests as the project "package" of Jest');
  return folder;
};

/** Files by their names. */
type Files = Readonly<Record<string, string>>;

/** Writes files into a folder of their own in the consumer's. */
export const written = (files: Files): string => {
  const folder = mkdtempSync(join(consumer(), 'case-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

/** The path of something in the consumer's folder. */
export const inConsumer = (path: string): string => join(consumer(), path);

/** How users let TypeScript find packages. */
export const resolutions = {
  bundler: { module: 'ESNext', moduleResolution: 'bundler' },
  node16: { module: 'Node16', moduleResolution: 'node16' },
} as const;

/** What the compiler says of each file, with everything checked; of files of packages too, under `package`. */
export const faultsOf = (files: Files, resolution: keyof typeof resolutions = 'bundler'): Files => {
  const folder = written(files);
  const compilerOptions = {
    ...resolutions[resolution],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    jsx: 'react-jsx',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const tsc = inConsumer('node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: folder,
  });
  const faults: Record<string, string> = {};
  let file = 'package';
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const [, path] = /^(\S.*)\(\d+,\d+\): error/.exec(line) ?? [];
    if (path !== undefined) file = path.includes('node_modules') ? 'package' : basename(path);
    faults[file] = `${faults[file] ?? ''}${line}\n`;
  }
  return faults;
};
