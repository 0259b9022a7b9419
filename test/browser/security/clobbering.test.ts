import { resolve } from 'node:path';

import { domReads, libraryDomReads } from '../../../scripts/domReads';
import { openWith } from '../support/changedPage';
import { hidingComment } from '../support/hidingComment';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import type { Visitor } from '../support/visitor';

/** Members that the sources read. */
const names = domReads();

/** The pages have no ad server, which the SDK says in the end. */
const warningsOf = async ({ warnings }: Visitor): Promise<readonly string[]> =>
  (await warnings()).filter((warning) => !warning.includes('Unable to find google tag script'));

const seeds = Array.from({ length: 15 }, (_, i) => i + 1);

describe('A document whose HTML hides members of documents and forms', () => {
  const stage = stageForTests();

  // Five visits in a test, because each test ends the visits and begins anew.
  const groups = Array.from({ length: 3 }, (_, i) => seeds.slice(5 * i, 5 * i + 5));

  test.each(groups.map((group) => [group.join(), group] as const))(
    'is tracked as any other, with elements chosen by the seeds %s',
    async (_, group) => {
      for (const seed of group) {
        const visitor = await stage.visitor();
        await openWith(visitor, stage.demo.site, hidingComment(names, seed), '?permutive_debug=true&gpt=none');
        await visitor.ready();
        await visitor.track('Clobbered', { seed });
        await stage.untilArrived('Pageview');
        await stage.untilArrived('SegmentEntry');
        const [clobbered] = await stage.untilArrived('Clobbered');
        expect(clobbered?.properties).toMatchObject({ seed, client: { title: 'Blank page', domain: 'localhost' } });
        expect({ seed, warnings: await warningsOf(visitor) }).toEqual({ seed, warnings: [] });
        expect({ seed, errors: await stage.endVisits() }).toEqual({ seed, errors: [] });
      }
    },
  );
});

/** What the overlay is drawn and made safe with. */
const libraries = ['react-dom/cjs/react-dom-client.production.js', 'dompurify/dist/purify.es.mjs'].map((file) =>
  resolve(__dirname, '../../../node_modules', file),
);
const overlayNames = [...new Set([...libraryDomReads(libraries), ...names])];

const images = overlayNames.map((name) => `<img name=${name}>`).join('');
const forms = overlayNames.map((name) => `<form name=${name}><input name=${name}></form>`).join('');

describe('An overlay on a page whose HTML hides members of the document and of forms', () => {
  const stage = stageForTests();

  /** Text and middle of the modal, past elements that hide members from the driver's own locators as well. */
  const modalOf = ({ page }: Visitor): Promise<{ heading: string; x: number; y: number } | undefined> =>
    page.evaluate(() => {
      const all = Object.getOwnPropertyDescriptor(Document.prototype, 'querySelectorAll')?.value as (
        this: Document,
        selectors: string,
      ) => NodeListOf<Element>;
      const divs = [...all.call(document, 'div')];
      const modal = divs.map((div) => div.shadowRoot?.querySelector('.open [role=dialog]')).find(Boolean);
      if (!modal) return undefined;
      const { left, top, width, height } = modal.getBoundingClientRect();
      return { heading: modal.querySelector('h2')?.textContent ?? '', x: left + width / 2, y: top + height / 2 };
    });

  /** A page with that comment, whose visitor becomes a reader of personal finance, for whom there is an overlay. */
  const reader = async (comment: string): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await openWith(visitor, stage.demo.site, comment, '?gpt=none');
    await visitor.ready();
    await visitor.page.mouse.move(300, 300);
    for (const id of [1, 2])
      await visitor.ask(
        (permutive, article) =>
          permutive.addon('web', { page: { article: { id: article, section: 'personal finance' } } }),
        id,
      );
    return visitor;
  };

  test.each<readonly [string, string]>([
    ['images with all names', images],
    ['forms and fields with all names', forms],
    ['a form in focus whose field hides its name', '<form tabindex=-1 autofocus><input name=nodeName></form>'],
    ['an image whose name makes the document its own child', '<img name=parentNode>'],
    ...[1, 2, 3, 4].map((seed) => [`elements by the seed ${seed}`, hidingComment(overlayNames, seed)] as const),
  ])('shows, is used, and goes: %s', async (_, comment) => {
    const visitor = await reader(comment);
    const { mouse, keyboard } = visitor.page;
    const modal = await until(() => modalOf(visitor), 'the overlay');
    expect(modal.heading).toBe('Your savings, once a week');
    // The pointer comes from the page, and goes back to it.
    await mouse.move(modal.x, modal.y);
    await keyboard.press('Tab');
    await keyboard.press('Escape');
    await until(async () => ((await modalOf(visitor)) === undefined ? true : undefined), 'the overlay to go');
    await mouse.move(310, 310);
    await stage.untilArrived('Reaction');
    expect(await stage.endVisits()).toEqual([]);
  });
});
