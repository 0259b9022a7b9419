import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** The file with the licences of the packages that are in the scripts beside it. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

const rule = '-'.repeat(80);

/**
 * Folders of the packages that have these files. The sources under `root` may lie in a package themselves, and a folder
 * of caches is no package.
 */
const packageFolders = (files, root) =>
  new Set(
    files.flatMap((file) => {
      const path = file.replaceAll('\\', '/');
      const own = `${root.replaceAll('\\', '/')}/`;
      const from = path.startsWith(own) ? own.length - 1 : 0;
      const at = path.lastIndexOf('/node_modules/');
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path.slice(at + '/node_modules/'.length)) ?? [];
      return at < from || name === undefined || name.startsWith('.')
        ? []
        : [`${path.slice(0, at)}/node_modules/${name}`];
    }),
  );

const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
    .sort()
    .map((file) => readFileSync(resolve(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return [`${name} ${version}`, `License: ${license}`, ...texts.map((text) => `\n${text}`)].join('\n');
};

/** The notices of the packages that these files are of, as the text of a file; empty where there are none. */
export const noticesOf = (files, root) => textOf([...packageFolders(files, root)].map(noticeOf));

/** The notices of several such texts as one, each once. */
export const mergedNotices = (texts) =>
  textOf(texts.flatMap((text) => text.split(`\n${rule}\n`).map((notice) => notice.trim())));

const textOf = (notices) => {
  const sorted = [...new Set(notices)].filter((notice) => notice !== '').sort();
  return sorted.map((notice) => `${notice}\n`).join(`\n${rule}\n`);
};

/**
 * Writes the notices of a project's scripts into a folder once `count` compilers with this plugin have ended. webpack's
 * own code is in each script.
 */
export const thirdPartyNotices = (root, folder, count) => {
  const files = new Set();
  let running = count;
  return {
    apply: ({ hooks }) =>
      hooks.afterEmit.tap('thirdPartyNotices', (compilation) => {
        for (const file of bundledFiles(compilation)) files.add(file);
        running -= 1;
        if (running === 0) writeFileSync(resolve(folder, noticesFile), noticesOf([...files], root));
      }),
  };
};

/** The files whose code is in the chunks of a compilation, webpack's own included. */
export const bundledFiles = ({ chunks, chunkGraph }) => [
  createRequire(import.meta.url).resolve('webpack/package.json'),
  ...[...chunks].flatMap((chunk) =>
    [...chunkGraph.getChunkModules(chunk)].flatMap((module) =>
      (module.modules ?? [module]).flatMap(({ resource }) => (resource ? [resource.replace(/\?.*/s, '')] : [])),
    ),
  ),
];
