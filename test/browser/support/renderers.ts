import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Visitor } from './visitor';

/** What may draw the SDK's components, and the folder with the build of it. */
export const renderers = [
  ['React', 'dist'],
  ['Preact', 'build/preact'],
] as const;

/** Lets a visitor's page script and its chunks come from that build. The worker is the same in both. */
export const servedFrom = async ({ context }: Visitor, folder: (typeof renderers)[number][1]): Promise<void> => {
  const files = resolve(__dirname, '../../..', folder);
  if (!existsSync(files)) throw new Error(`Nothing in ${folder}: run \`npm run build && npm run build:preact\` first`);
  if (folder === 'dist') return;
  await context.route(/-web(\.(?!worker)[\w.-]+)?\.js$/, async (route) => {
    await route.fulfill({
      path: `${files}/${route.request().url().split('/').pop() ?? ''}`,
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
    });
  });
};
