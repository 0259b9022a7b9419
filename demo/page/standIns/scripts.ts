import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The stand-ins, by the name of the file that pages load. */
const names = ['googletag', 'apntag'] as const;

let built: ReadonlyMap<string, string> | undefined;

/** The code of each stand-in as a page's script, by file name. Made once. */
export const standInScripts = (): ReadonlyMap<string, string> =>
  (built ??= new Map(
    names.map((name) => {
      const { outputFiles } = buildSync({
        entryPoints: [fileURLToPath(new URL(`${name}/script.ts`, import.meta.url))],
        bundle: true,
        write: false,
        format: 'iife',
        target: 'es2021',
        charset: 'utf8',
      });
      return [`${name}.js`, outputFiles[0]?.text ?? ''];
    }),
  ));
