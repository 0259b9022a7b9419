import { resolve } from 'node:path';

import { domReads, libraryDomReads } from '../../../scripts/domReads';
import { openWith } from '../support/changedPage';
import { hidingComment } from '../support/hidingComment';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import type { Visitor } from '../support/visitor';

/** What the overlay is drawn and made safe with. */
const libraries = ['react-dom/cjs/react-dom-client.production.js', 'dompurify/dist/purify.es.mjs'].map((file) =>
  resolve(__dirname, '../../../node_modules', file),
);
const names = [...new Set([...libraryDomReads(libraries), ...domReads()])];

const images = names.map((name) => `<img name=${name}>`).join('');
const forms = names.map((name) => `<form name=${name}><input name=${name}></form>`).join('');

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
    for (let i = 0; i < 2; i += 1)
      await visitor.ask((permutive) => permutive.addon('web', { page: { article: { section: 'personal finance' } } }));
    return visitor;
  };

  test.each<readonly [string, string]>([
    ['images with all names', images],
    ['forms and fields with all names', forms],
    ['a form in focus whose field hides its name', '<form tabindex=-1 autofocus><input name=nodeName></form>'],
    ['an image whose name makes the document its own child', '<img name=parentNode>'],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => [`elements by the seed ${seed}`, hidingComment(names, seed)] as const),
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
