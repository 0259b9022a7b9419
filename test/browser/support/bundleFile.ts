import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { project } from '../../../demo/project/project';

/** The name of the page script, without its ending. */
export const scriptName = `${project.workspaceId}-web`;

/** Addresses of a part of the bundle, whatever its content is, by the name that the sources call it by. */
export const partFile = (part: string): RegExp =>
  new RegExp(`-web\\.${part.replace('.', '\\.')}\\.[\\w-]{16}\\.js(on)?$`);

/** The path of a part in a folder of built files; of the page script where its name is empty. */
export const builtFile = (part: string, folder = 'dist'): string => {
  const files = resolve(__dirname, '../../..', folder);
  if (part === '') return resolve(files, `${scriptName}.js`);
  const file = readdirSync(files).find((name) => name.startsWith(scriptName) && partFile(part).test(name));
  if (file === undefined) throw new Error(`${folder} has no part ${part}`);
  return resolve(files, file);
};
