import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { type BuildProject, checkProject } from '../../../project/checkProject';
import { loadProject } from '../../../project/loadProject';
import { writeWhole } from '../../../project/writeWhole';
import { isRecord } from '../../../src/codecs/codecs';
import type { Published } from '../../protocol';
import type { FileState } from '../projectFile';
import { Refused } from '../refused';

/** What Studio cannot do by itself, because the command has it. */
export interface Builder {
  /** Builds the project's files into a folder. */
  readonly build: (out: string) => Promise<BuildProject>;
  /** The files of a folder in the order of their upload. */
  readonly plan: (folder: string) => Published['files'];
}

/** What was published: the definition as it stood in the file, and when. */
interface Record {
  readonly at: string;
  readonly version: string;
  readonly definition: unknown;
}

/** The publications of a folder: the present one, and the one before it. */
export interface Publications {
  /** The published definition, checked; undefined where nothing was published yet. */
  readonly published: () => Promise<BuildProject | undefined>;
  /** The same in words. */
  readonly said: () => string | undefined;
  /** What `back` would put back, in words; undefined where there is nothing to go back to. */
  readonly previous: () => string | undefined;
  readonly dryRun: (state: FileState) => Promise<Published>;
  readonly publish: (state: FileState) => Promise<Published>;
  readonly back: () => Published;
}

export interface PublicationOptions {
  /** The folder of the publisher, whose `dist` has what is uploaded. */
  readonly folder: string;
  /** Another definition that is taken as published. */
  readonly file: string | undefined;
  readonly outside: readonly string[];
  readonly builder: Builder | undefined;
}

/** Opens what a folder has published. Its records are in `.permutive`, beside the files of the step before. */
export const openPublications = ({ folder, file, outside, builder }: PublicationOptions): Publications => {
  const kept = resolve(folder, '.permutive');
  const dist = resolve(folder, 'dist');
  const [present, previous] = ['published.json', 'previous.json'].map((name) => join(kept, name)) as [string, string];
  const [before, next] = ['previous', 'next'].map((name) => join(kept, name)) as [string, string];
  let built: string | undefined;

  /** A process that ended between two renames has left the files aside. */
  if (!existsSync(dist) && existsSync(join(kept, 'swapping')) && existsSync(before)) renameSync(before, dist);
  rmSync(join(kept, 'swapping'), { force: true });

  const answer = (at: string): Published => ({
    files: existsSync(at) ? builderOrThrow(builder).plan(at) : [],
  });
  const buildAside = async (state: FileState): Promise<void> => {
    const { build } = builderOrThrow(builder);
    if (state.project === undefined) throw new Refused(400, 'The definition is wrong, so nothing can be built of it.');
    if (built === state.version && existsSync(next)) return;
    prepare(kept);
    rmSync(next, { recursive: true, force: true });
    await build(next);
    built = state.version;
  };
  /** Puts one folder in the place of `dist`, and `dist` in that of the other. */
  const swap = (from: string): void => {
    writeFileSync(join(kept, 'swapping'), '');
    const aside = join(kept, 'aside');
    rmSync(aside, { recursive: true, force: true });
    if (from === before) renameSync(before, aside);
    rmSync(before, { recursive: true, force: true });
    if (existsSync(dist)) renameSync(dist, before);
    renameSync(from === before ? aside : from, dist);
    rmSync(join(kept, 'swapping'), { force: true });
  };
  return {
    published: async () => {
      if (file !== undefined) return loadProject(file, outside);
      const record = recordIn(present);
      return record && checkProject(record.definition, outside).project;
    },
    said: () => {
      if (file !== undefined) return relative(folder, file);
      return existsSync(present) ? publicationOf(recordIn(present)) : undefined;
    },
    previous: () => {
      if (!existsSync(before)) return undefined;
      return existsSync(previous) ? publicationOf(recordIn(previous)) : 'the build that was there before';
    },
    dryRun: async (state) => {
      await buildAside(state);
      return answer(next);
    },
    publish: async (state) => {
      await buildAside(state);
      keepVersions(dist, next);
      swap(next);
      built = undefined;
      if (existsSync(present)) renameSync(present, previous);
      else rmSync(previous, { force: true });
      const { version, input: definition } = state;
      writeWhole(present, recordText({ at: new Date().toISOString(), version, definition }));
      return answer(dist);
    },
    back: () => {
      if (!existsSync(before)) throw new Refused(400, 'There is no publication before this one.');
      swap(before);
      const [was, is] = [recordIn(present), recordIn(previous)];
      for (const [path, record] of [
        [present, is],
        [previous, was],
      ] as const)
        if (record === undefined) rmSync(path, { force: true });
        else writeWhole(path, recordText(record));
      return answer(dist);
    },
  };
};

/** To the ms, so that the page tells two publications of one second apart. */
const publicationOf = (record: Record | undefined): string =>
  `the publication of ${record === undefined ? 'an unknown time' : record.at}`;

const builderOrThrow = (builder: Builder | undefined): Builder => {
  if (builder === undefined) throw new Refused(400, 'A build is not possible here.');
  return builder;
};

const prepare = (kept: string): void => {
  mkdirSync(kept, { recursive: true });
  // The record of what is published may be kept with the sources; built files are not.
  if (!existsSync(join(kept, '.gitignore'))) writeFileSync(join(kept, '.gitignore'), 'next\nprevious\nprevious.json\n');
};

/** Pages that were loaded before ask for the parts of their version. */
const keepVersions = (from: string, to: string): void => {
  for (const name of existsSync(from) ? readdirSync(from).filter((each) => /^v\d+\.\d+\.\d+/.test(each)) : [])
    if (!existsSync(join(to, name))) cpSync(join(from, name), join(to, name), { recursive: true });
};

const recordIn = (path: string): Record | undefined => {
  try {
    const record: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(record) && typeof record['at'] === 'string' ? (record as unknown as Record) : undefined;
  } catch {
    return undefined;
  }
};

const recordText = (record: Record): string => `${JSON.stringify(record, null, 2)}\n`;
