import { copyFileSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { bundleForPage } from '../../bundle/bundleForPage';
import { playgroundFolder } from './serve';

const root = resolve(import.meta.dirname, '../..');

/** Builds the playground's page, and puts the engine of `dist` beside it as it is. Needs `npm run build` first. */
export const buildPlayground = async (): Promise<void> => {
  await bundleForPage({
    entry: resolve(import.meta.dirname, 'main.tsx'),
    file: resolve(playgroundFolder, 'playground.js'),
    isModule: true,
  });
  mkdirSync(playgroundFolder, { recursive: true });
  for (const file of ['index.html', 'playground.css', 'timeline.css'])
    copyFileSync(resolve(import.meta.dirname, file), resolve(playgroundFolder, file));
  copyFileSync(resolve(root, 'demo/page/assets/palette.css'), resolve(playgroundFolder, 'palette.css'));
  copyFileSync(resolve(root, 'dist/engine.mjs'), resolve(playgroundFolder, 'engine.mjs'));
};
