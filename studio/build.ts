import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { bundleForPage } from '../bundle/bundleForPage';
import { builtPage } from './pageFolder';

const sources = resolve(import.meta.dirname, 'page');
/** Colours and fonts that the page shares with the paper. */
const palette = resolve(import.meta.dirname, '../demo/page/assets/palette.css');

/** Builds Studio's page: its script `page.js`, and its document and styles as they are. */
export const buildStudioPage = async (folder = builtPage): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  await bundleForPage({ entry: resolve(sources, 'main.tsx'), file: resolve(folder, 'page.js'), isModule: true });
  for (const file of readdirSync(sources).filter((name) => /\.(?:html|css|svg)$/.test(name)))
    copyFileSync(resolve(sources, file), resolve(folder, file));
  copyFileSync(palette, resolve(folder, basename(palette)));
};
