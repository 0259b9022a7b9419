import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in a page, or in a part of it: each rule with the elements that break it. */
export const axeFindings = async (
  page: Page | Frame,
  options: Pick<RunOptions, 'iframes' | 'rules'> = {},
  part = 'html',
): Promise<readonly string[]> => {
  await page.evaluate(axe);
  const all = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(part)}, ${all})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
};
