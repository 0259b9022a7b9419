import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The folder with the sources that a build reads: `sdk` beside the command's folder where the package is installed,
 * else this repository.
 */
export const sdkFolder: string = ['../sdk', '../..']
  .map((path) => resolve(import.meta.dirname, path))
  .find((folder) => existsSync(resolve(folder, 'webpack.config.js')))!;

interface SdkPackage {
  readonly version: string;
  /** Packages that a build imports, each with its version; undefined in this repository, where all are installed. */
  readonly tools?: Readonly<Record<string, string>>;
}

const packageIn = (folder: string): SdkPackage =>
  JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as SdkPackage;

export const sdkPackage = (): SdkPackage => packageIn(sdkFolder);

/** The version of a package as it is found from a folder; undefined where it is not installed. */
const installedVersion = (name: string, from: string): string | undefined => {
  const folder = resolve(from, 'node_modules', name);
  if (existsSync(resolve(folder, 'package.json'))) return packageIn(folder).version;
  return dirname(from) === from ? undefined : installedVersion(name, dirname(from));
};

export interface MissingTools {
  /** Packages that are not installed, as `npm install` takes them. */
  readonly missing: readonly string[];
  /** Packages of another version than the one that was tested, in words. */
  readonly others: readonly string[];
}

/** Which packages a build would not find, or find in another version. */
export const missingTools = ({ tools = {} }: SdkPackage, from = sdkFolder): MissingTools => {
  const found = Object.entries(tools).map(([name, version]) => ({ name, version, has: installedVersion(name, from) }));
  return {
    missing: found.flatMap(({ name, version, has }) => (has === undefined ? [`${name}@${version}`] : [])),
    others: found.flatMap(({ name, version, has }) =>
      has === undefined || has === version ? [] : [`${name} is ${has} and was tested as ${version}`],
    ),
  };
};
