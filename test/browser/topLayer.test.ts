import type { Locator, Page } from 'playwright-core';

import { changeBundle } from './support/changedBundle';
import { frameOf, inspect, untilGone } from './support/inspector';
import { renderers, servedFrom } from './support/renderers';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

/** Pages on which what is fixed in the body is moved, cut off or drawn over. */
const hardPages = {
  'a body that is moved': 'body { transform: translateX(300vw) }',
  'a body with a filter and a perspective': 'body { filter: grayscale(1); perspective: 10px; margin-top: 300vh }',
  'a body that contains all': 'body { contain: strict; width: 10px; height: 10px }',
  'a body that cuts off what is larger': 'body { overflow: hidden; width: 10px; height: 10px; clip-path: inset(50%) }',
  'a body that shows nothing yet': 'body { display: none }',
  'a root that is moved': 'html { transform: translateX(300vw) }',
};

/** Opens a modal dialog of the page, whose button has the focus. */
const openDialog = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const dialog = document.createElement('dialog');
    dialog.id = 'of-the-page';
    const button = document.createElement('button');
    button.textContent = 'Of the page';
    dialog.append(button);
    document.body.append(dialog);
    dialog.showModal();
    button.focus();
  });

/** What has the focus, in open shadow trees too: the text it begins with, or its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute('role') ?? (element?.textContent.trim().slice(0, 11) || (element?.tagName ?? ''));
  });
const untilFocused = (page: Page, wanted: string): Promise<true> =>
  until(async () => ((await focused(page)) === wanted ? true : undefined), `the focus on ${wanted}`);

/** Whether what a person sees in the middle of an element is in that element. */
const isSeen = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    let seen = document.elementFromPoint(x, y);
    while (seen?.shadowRoot && seen.shadowRoot !== element.getRootNode()) seen = seen.shadowRoot.elementFromPoint(x, y);
    return element.contains(seen?.shadowRoot?.elementFromPoint(x, y) ?? seen);
  });

/** Makes the visitor a reader of personal finance, for whom there is an overlay. */
const becomeReader = (visitor: Visitor): Promise<unknown> =>
  visitor.ask((permutive) => permutive.addon('web', { page: { article: { section: 'personal finance' } } }));

describe.each(renderers)('An overlay on %s', (renderer, folder) => {
  const stage = stageForTests();
  const open = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await servedFrom(visitor, folder);
    await visitor.open(article);
    await visitor.ready();
    return visitor;
  };

  // What holds a page's layout off is the browser's own, for one renderer as for the other.
  const pages = Object.entries(hardPages).slice(0, renderer === 'React' ? undefined : 1);
  test.each(pages)('is seen and dims the whole window on a page with %s', async (_, styles) => {
    const visitor = await open();
    const { page } = visitor;
    await page.evaluate((textContent) => {
      document.head.append(Object.assign(document.createElement('style'), { textContent }));
    }, styles);
    await becomeReader(visitor);
    const modal = page.getByRole('dialog');
    await modal.waitFor();
    await untilFocused(page, 'dialog');
    expect(await isSeen(modal)).toBe(true);
    const backdrop = await modal.evaluate((element) => {
      const { left, top, width, height } = element.parentElement!.getBoundingClientRect();
      return [left, top, innerWidth - width < 40, innerHeight - height < 40];
    });
    expect(backdrop).toEqual([0, 0, true, true]);
    await page.mouse.click(8, 8);
    await modal.waitFor({ state: 'detached' });
  });

  test('opens above a dialog of the page, is used by keyboard alone, and gives the focus back to that dialog', async () => {
    const visitor = await open();
    const { page } = visitor;
    await openDialog(page);
    await becomeReader(visitor);
    const modal = page.locator('.open [role=dialog]');
    await modal.waitFor();
    await untilFocused(page, 'dialog');
    expect(await isSeen(modal)).toBe(true);
    await page.keyboard.press('Tab');
    await untilFocused(page, 'Close');
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await untilFocused(page, 'Of the page');
    expect(await page.evaluate(() => document.querySelector<HTMLDialogElement>('#of-the-page')!.open)).toBe(true);
  });
});

describe('Two overlays', () => {
  const stage = stageForTests();

  /** A page on which two overlays are open, and a link of the page had the focus. */
  const openTwo = async (): Promise<Page> => {
    const visitor = await stage.visitor();
    const { page } = visitor;
    // Another overlay is for the readers of personal finance too.
    await changeBundle(page, {
      deferred: (text) => {
        const changed = text.replace(/(00e1a2['"`],sc:)20602/, (__, before: string) => `${before}20112`);
        expect(changed).not.toBe(text);
        return changed;
      },
    });
    await visitor.open(article);
    await visitor.ready();
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href]')!.focus());
    await becomeReader(visitor);
    const modals = page.locator('.open [role=dialog]');
    await until(async () => ((await modals.count()) === 2 ? true : undefined), 'both overlays');
    await untilFocused(page, 'dialog');
    return page;
  };
  /** Closes the one that has no focus, by its button. No person can, because it is below. */
  const closeLower = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
      const open = roots.filter((root) => root.querySelector('.open') !== null);
      open
        .find(({ activeElement }) => activeElement === null)!
        .querySelector<HTMLElement>('.close')!
        .click();
    });
  const untilOpen = (page: Page, count: number): Promise<true> =>
    until(
      async () => ((await page.locator('.open [role=dialog]').count()) === count ? true : undefined),
      `${count} open overlays`,
    );

  test('are closed by the keyboard alone, one after the other, and the focus goes back step by step', async () => {
    const page = await openTwo();
    const link = await page.evaluate(() => document.querySelector('a[href]')!.textContent.trim().slice(0, 11));
    await page.keyboard.press('Escape');
    await untilOpen(page, 1);
    await untilFocused(page, 'dialog');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toMatch(/BUTTON|A/);
    await page.keyboard.press('Escape');
    await untilOpen(page, 0);
    await untilFocused(page, link);
  });

  test('leave the focus where it is when the lower is closed, and give it back to the page at the end', async () => {
    const page = await openTwo();
    const link = await page.evaluate(() => document.querySelector('a[href]')!.textContent.trim().slice(0, 11));
    await closeLower(page);
    await untilOpen(page, 1);
    expect(await focused(page)).toBe('dialog');
    await page.keyboard.press('Escape');
    await untilOpen(page, 0);
    await untilFocused(page, link);
  });
});

describe('The inspector', () => {
  const stage = stageForTests();
  const open = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(article);
    await visitor.ready();
    return visitor;
  };
  /** Clicks, as a person would, on a place of the window where the tab of a panel is seen. */
  const clickTab = async ({ page }: Visitor, name: string): Promise<void> => {
    const tab = page.frameLocator('[title^="Inspector"]').locator(`#tab-${name}`);
    const { x, y, width, height } = (await tab.boundingBox())!;
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.frameLocator('[title^="Inspector"]').locator(`#tab-${name}[aria-selected=true]`).waitFor();
  };

  test.each(Object.entries(hardPages))('is seen and used on a page with %s', async (_, styles) => {
    const visitor = await open();
    await visitor.page.evaluate((textContent) => {
      document.head.append(Object.assign(document.createElement('style'), { textContent }));
    }, styles);
    await inspect(visitor);
    await frameOf(visitor);
    await clickTab(visitor, 'Visitor');
  });

  test('is used above a dialog of the page that is open, that opens, and once it is closed', async () => {
    const visitor = await open();
    const { page } = visitor;
    await openDialog(page);
    await inspect(visitor);
    await frameOf(visitor);
    await clickTab(visitor, 'Visitor');
    const closed = await frameOf(visitor);
    await page.evaluate(() => document.querySelector<HTMLDialogElement>('#of-the-page')!.close());
    await untilGone(closed);
    await frameOf(visitor);
    await clickTab(visitor, 'Cohorts');
    const covered = await frameOf(visitor);
    await page.evaluate(() => document.querySelector<HTMLDialogElement>('#of-the-page')!.showModal());
    await untilGone(covered);
    const last = await frameOf(visitor);
    await clickTab(visitor, 'Delivery');
    await page.keyboard.press('Escape');
    await untilGone(last);
  });

  test('is used beside an overlay, and after it', async () => {
    const visitor = await open();
    const { page } = visitor;
    await inspect(visitor);
    const below = await frameOf(visitor);
    await becomeReader(visitor);
    await page.locator('.open [role=dialog]').waitFor();
    await untilGone(below);
    const beside = await frameOf(visitor);
    await clickTab(visitor, 'Visitor');
    // The inspector may cover it.
    await page.locator('.close').evaluate((button: HTMLElement) => button.click());
    await untilGone(beside);
    await frameOf(visitor);
    await clickTab(visitor, 'Cohorts');
  });
});
