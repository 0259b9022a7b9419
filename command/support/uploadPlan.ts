import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { noticesFile } from '../../bundle/notices.js';
import { builtFiles } from './builtFiles';
import { type Upload, uploads } from './pageFiles';

/** What is uploaded of a folder that was built into, and what is there to roll back to. */
export interface UploadPlan {
  /** All built files, those that are part of the head among them. */
  readonly files: readonly string[];
  readonly uploads: readonly Upload[];
  /** The version of the SDK whose files are the latest; undefined where none has files of its own. */
  readonly present: string | undefined;
  readonly rollback: string | null;
}

/** Versions of the SDK whose files are in the folder, the latest first. */
const versionsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^v\d+\.\d+\.\d+/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** Plans the upload of a folder. `named`: how the caller has named it. */
export const uploadPlan = (folder: string, named: string): UploadPlan => {
  const files = builtFiles(folder, named);
  const [present, ...others] = versionsIn(folder);
  const inVersion = present === undefined ? [] : readdirSync(resolve(folder, present));
  const planned = uploads([
    ...inVersion.map((file) => `${present}/${file}`),
    ...files,
    ...['integrity.json', noticesFile].filter((file) => existsSync(resolve(folder, file))),
  ]);
  return { files, uploads: planned, present, rollback: others[0] ?? null };
};
