import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

import { bundleForPage } from '../../bundle/bundleForPage';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { scriptFile } from './support/visitor';

const root = resolve(__dirname, '../..');
const file = resolve(root, 'build/reactPage/page.js');

/** Builds the application of `support/reactPage.tsx` on `dist/react.mjs`, and answers its script. */
const buildPage = async (): Promise<string> => {
  await bundleForPage({
    entry: resolve(__dirname, 'support/reactPage.tsx'),
    file,
    alias: { [resolve(root, 'src/hooks/react')]: resolve(root, 'dist/react.mjs') },
  });
  return readFileSync(file, 'utf8');
};

describe('A React application on a page with the SDK', () => {
  const stage = stageForTests();
  let script = '';
  beforeAll(async () => {
    script = await buildPage();
  });

  const untilShown = (page: Page, expected: string): Promise<true> =>
    until(async () => ((await page.locator('#shown').innerText()) === expected ? true : undefined), expected);
  const shown = (isKnown: boolean, isGiven: boolean | null): string =>
    JSON.stringify({
      isReady: isGiven !== null,
      isRealtime: isGiven !== null,
      isReader: isKnown,
      hasCohorts: isKnown,
      isGiven,
    });

  test('is there before the SDK, tracks, shows cohorts as they are found, and none once consent is withdrawn', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.page.addScriptTag({ content: script });
    await untilShown(visitor.page, shown(false, null));
    await visitor.page.getByRole('button', { name: 'Track' }).click();
    release();
    await untilShown(visitor.page, shown(true, true));
    await visitor.page.getByRole('button', { name: 'Track' }).click();
    const clicked = await stage.untilArrived('Clicked', 2);
    expect(clicked.map(({ properties }) => properties['early'])).toEqual([true, false]);
    await visitor.page.getByRole('button', { name: 'Withdraw' }).click();
    await untilShown(visitor.page, shown(false, false));
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  });

  test('shows that nothing is known on a page without the SDK', async () => {
    const visitor = await stage.visitor({ expected: /Failed to load resource/ });
    await visitor.page.route(scriptFile, (route) => route.abort());
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.page.evaluate(() => {
      (window as unknown as { permutive: unknown }).permutive = undefined;
    });
    await visitor.page.addScriptTag({ content: script });
    await untilShown(visitor.page, shown(false, null));
    await visitor.page.getByRole('button', { name: 'Track' }).click();
    await untilShown(visitor.page, shown(false, null));
  });
});
