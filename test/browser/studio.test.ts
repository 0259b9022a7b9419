import type { Page } from 'playwright-core';

import type { Definition } from '../../src/engine/language/language';
import { addressOf } from './support/frames';
import { can, listMissing, needs } from './support/needs';
import { pause } from './support/pause';
import { studioForTests } from './support/studioForTests';
import { typeInto } from './support/typeInto';
import { until } from './support/until';

/** Waits until something holds. */
const untilHolds = (holds: () => Promise<boolean>, what: string): Promise<true> =>
  until(async () => ((await holds()) ? true : undefined), what);

describe('Studio', () => {
  const studio = studioForTests();
  const { open } = studio;

  const textOf = (page: Page): Promise<string> => page.locator('.cm-content').innerText();
  const saved = (id: string): Definition | undefined =>
    (JSON.parse(studio.folder.text()) as { queries: Definition[] }).queries.find((query) => query.id === id);
  const status = (page: Page, words: string | RegExp) =>
    page.locator('[data-test="status"]').getByText(words).waitFor();

  test('makes a cohort by form and text, checks it as it is written, and saves it in the file', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'New cohort' }).click();
    await typeInto(page.getByLabel('Name', { exact: true }), 'Night readers');
    await typeInto(
      page
        .locator('#part-q')
        .or(page.getByLabel('Event', { exact: true }))
        .first(),
      'Pageviw',
    );
    await typeInto(page.getByLabel('Id', { exact: true }), '31001');
    await page.locator('[data-test="cost"]').waitFor();
    // What is wrong stands beside its field, and in the text.
    await page.locator('.field .findings').first().waitFor();
    await page.locator('.cm-lintRange').first().waitFor();
    await typeInto(page.getByLabel('Event', { exact: true }), 'Pageview');
    await page.getByText('The check finds nothing wrong.').waitFor();
    await page.getByRole('button', { name: 'Add Where' }).click();
    await page.getByLabel('Kind of test').selectOption('in');
    await typeInto(page.getByLabel('Path', { exact: true }), 'article.section');
    await page.getByRole('button', { name: 'Add Markets' }).click();
    expect(JSON.parse(await textOf(page))).toMatchObject({
      id: '31001',
      name: 'Night readers',
      q: { event: 'Pageview', where: { p: 'article.section' } },
    });
    await page.getByRole('button', { name: /^Save in/ }).click();
    await status(page, 'Cohort 31001 is saved in project.json.');
    expect(saved('31001')?.q).toMatchObject({ event: 'Pageview', is: { gte: 3 }, within: { days: 7 } });
    expect(JSON.stringify(saved('31001'))).toContain('Markets');
    expect(await addressOf(page)).toContain('/cohort/31001/make');
  });

  test('shows the view of an address that comes while the page is drawn for the first time', async () => {
    const page = await studio.context.newPage();
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('#studio h1, #studio h2') === null) return;
        observer.disconnect();
        location.hash = '#/cohort/20402/make';
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(studio.folder.address);
    await page.getByRole('heading', { name: 'Active this week' }).waitFor();
    // A reload needs the token.
    expect(await addressOf(page)).toBe(studio.folder.address.replace('#', '#/cohort/20402/make?'));
  });

  test('takes what is written in the text into the form, and steps back through both', async () => {
    const page = await open('/cohort/20402/make');
    const number = page.getByRole('textbox', { name: 'Number', exact: true });
    await typeInto(number, '5');
    expect(JSON.parse(await textOf(page))).toMatchObject({ q: { is: { gte: 5 } } });
    const write = async (text: string): Promise<void> => {
      await page.locator('.cm-content').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    };
    await write('{ "id": "20402", "q": { "event": "Pageview", "is": { "gte": ');
    await page.getByText('The text is no JSON yet. The form shows what it said before.').waitFor();
    expect(await number.inputValue()).toBe('5');
    await write('{ "id": "20402", "q": { "event": "Pageview", "is": { "gte": 8 } } }');
    await untilHolds(async () => (await number.inputValue()) === '8', 'the number of the text in the form');
    // Escape leaves the editor, and Tab does.
    await page.keyboard.press('Escape');
    // The first one may have closed a list of completions.
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.className ?? '')).not.toContain('cm-content');
    await number.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await untilHolds(async () => (await number.inputValue()) !== '8', 'a step back');
    await page.keyboard.press('ControlOrMeta+y');
    await untilHolds(async () => (await number.inputValue()) === '8', 'a step forward');
    const undo = page.getByRole('button', { name: 'Undo' });
    for (let steps = 0; steps < 20 && (await undo.getAttribute('aria-disabled')) === 'false'; steps++)
      await undo.click();
    expect(JSON.parse(await textOf(page))).toMatchObject({ q: { is: { gte: 3 } } });
    await page.locator('[data-test="standing"]').getByText('As in the file').waitFor();
  });

  test('completes the text with what was recorded', async () => {
    const page = await open('/cohort/20402/make');
    const editor = page.locator('.cm-content');
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('{ "id": "20402", "q": { "event": "Pagev');
    // The most frequent name is offered first.
    const offered = page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: 'PageviewEngagement' });
    await untilHolds(async () => {
      await offered.waitFor();
      await pause(200, 'the list takes no key in its first moment, so that what is typed does not choose by chance');
      await page.keyboard.press('Enter');
      if ((await textOf(page)).includes('"event": "PageviewEngagement"')) return true;
      // The list was made anew in between, and the key has begun a line.
      await page.keyboard.press('ControlOrMeta+z');
      await page.keyboard.press('Control+Space');
      return false;
    }, 'the completed name');
  });

  test('loses no draft on a reload or when the window is closed, and shows it to a second window', async () => {
    const page = await open('/cohort/20402/make');
    await typeInto(page.getByLabel('Name', { exact: true }), 'Busy this week');
    await page.reload();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Busy this week');
    // The steps back are those from before the reload.
    const name = async (): Promise<string> => page.getByLabel('Name', { exact: true }).inputValue();
    const undo = page.getByRole('button', { name: 'Undo' });
    await untilHolds(async () => (await undo.getAttribute('aria-disabled')) === 'false', 'a step to take back');
    await page.keyboard.press('Control+z');
    await untilHolds(async () => (await name()) === 'Active this week', 'the name before the change');
    await page.keyboard.press('Control+y');
    await untilHolds(async () => (await name()) === 'Busy this week', 'the name after the change');
    const second = await open('/cohort/20402/make');
    await second.getByText('Another window has a draft of this cohort').waitFor();
    expect(await second.getByLabel('Name', { exact: true }).inputValue()).toBe('Active this week');
    await second.getByRole('button', { name: 'Show it here' }).click();
    expect(await second.getByLabel('Name', { exact: true }).inputValue()).toBe('Busy this week');
    await second.close();
    await page.close();
    const later = await open('/cohort/20402/make');
    await untilHolds(
      async () => (await later.getByLabel('Name', { exact: true }).inputValue()) === 'Busy this week',
      'the draft of a window that is gone',
    );
    expect(saved('20402')?.name).toBe('Active this week');
  });

  test('notices that the file has changed, and overwrites nothing before the person has chosen', async () => {
    const page = await open('/cohort/20402/make');
    await typeInto(page.getByLabel('Name', { exact: true }), 'Mine');
    // Another cohort was saved in another window: this draft goes on.
    const second = await open('/cohort/20101/make');
    await typeInto(second.getByLabel('Name', { exact: true }), 'Readers of markets');
    await second.getByRole('button', { name: /^Save in/ }).click();
    await status(second, /is saved/);
    await status(page, /was changed outside and is loaded again\. Your drafts are kept\./);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine');
    expect(await page.getByText('This cohort was changed in the file').count()).toBe(0);
    // The same cohort was changed by an editor.
    studio.folder.write(studio.folder.text().replace('"Active this week"', '"Theirs"'));
    await page.getByRole('heading', { name: 'This cohort was changed in the file' }).waitFor();
    expect(await page.getByRole('button', { name: /^Save in/ }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: /^Save in/ }).click();
    await status(page, /Cohort 20402 is saved/);
    expect([saved('20402')?.name, saved('20101')?.name]).toEqual(['Mine', 'Readers of markets']);
  });

  needs('unfoldedStudio')(
    'counts the members by day and with other cohorts, and again when the cohort changes',
    async () => {
      const page = await open('/cohort/20402/size');
      await page.getByText(/^Counted in/).waitFor();
      const size = page.locator('[data-test="size"]');
      expect(await size.innerText()).toMatch(/^\d+ of 60 visitors/);
      await page.getByText('The same as a table').click();
      expect(await page.getByRole('table', { name: 'Members by day' }).getByRole('row').count()).toBeGreaterThan(20);
      const overlaps = page.getByRole('table', { name: 'Members in common' });
      const column = (): Promise<string[]> => overlaps.locator('tbody td:nth-child(2)').allInnerTexts();
      await overlaps.getByRole('button', { name: 'In both' }).click();
      const down = (await column()).map(Number);
      expect(down).toEqual([...down].sort((a, b) => b - a));
      const groups = page.getByRole('table', { name: 'Groups of the experiment' });
      const [control = [], exposed = []] = await Promise.all(
        ['Control', 'Exposed'].map(async (name) =>
          (
            await groups
              .getByRole('row', { name: new RegExp(`^${name}`) })
              .locator('td')
              .allInnerTexts()
          ).map(parseFloat),
        ),
      );
      expect([0, 2].map((i) => control[i]! + exposed[i]!)).toEqual([60, parseFloat(await size.innerText())]);
      expect(control[0]! / 60).toBeCloseTo(control[1]! / 100, 2);
      const before = await size.innerText();
      await page.getByRole('tab', { name: 'Make' }).click();
      await typeInto(page.getByRole('textbox', { name: 'Number', exact: true }), '400');
      await page.getByRole('tab', { name: 'Size' }).click();
      await page.getByText(/^Counted in/).waitFor();
      await untilHolds(async () => (await size.innerText()) !== before, 'another size');
      expect(await size.innerText()).toMatch(/^0 of 60/);
    },
  );

  test('finds who just misses a cohort, explains any moment, and keeps an example that is checked', async () => {
    const page = await open('/cohort/20402/test');
    await page.getByLabel('found in the visits').check();
    await page.getByRole('button', { name: 'Find ten members' }).click();
    await page.locator('.found button').first().click();
    const verdict = page.locator('[data-test="verdict"]');
    // The visitor is shown at the moment of the search, the end of the visits.
    await verdict.getByText('Member', { exact: true }).waitFor();
    const [, end = ''] = /^Member at (.*?) UTC/.exec(await verdict.innerText()) ?? [];
    expect(await page.locator('[data-test="explain"]').innerText()).toContain('needs at least 3');
    await typeInto(page.getByLabel('Name of the example'), 'Reads daily');
    await page.getByRole('button', { name: 'Keep as example' }).click();
    await status(page, 'The example “Reads daily” is kept with cohort 20402.');
    await page.locator('.examples').getByText('passed').waitFor();
    await page.getByRole('button', { name: '30 days later' }).click();
    expect(await verdict.innerText()).toMatch(/^Not a member at .* as time went by/);
    await page.getByRole('tab', { name: 'Make' }).click();
    await typeInto(page.getByRole('textbox', { name: 'Number', exact: true }), '4000');
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.locator('.examples').getByText('failed').waitFor();
    await page.getByRole('button', { name: 'Remove Reads daily' }).click();
    await page.getByText('None yet.').waitFor();
    await page.getByLabel('found in the visits').check();
    await page.getByRole('button', { name: 'Find ten who just miss it' }).click();
    await page.locator('.found').getByText('— has').first().waitFor();
    await page.locator('.found button').first().click();
    await page.locator(`[data-test="verdict"]:has-text("at ${end} UTC")`).waitFor();
    expect(await verdict.innerText()).toMatch(/^Not a member/);
    const [, has = ''] = /— has (\d+) of/.exec(await page.locator('.found li').first().innerText()) ?? [];
    expect(await page.locator('[data-test="explain"]').innerText()).toContain(`has ${has}, needs at least 4000`);
  });

  test('adds what buyers are told of a cohort, takes it away, and shows what the check says of it', async () => {
    const page = await open('/cohort/20101/buyers');
    const told = page.getByRole('region', { name: 'What buyers are told' });
    const entries = (): Promise<string[]> => told.locator('.entries strong').allInnerTexts();
    const inFile = (): unknown =>
      (JSON.parse(studio.folder.text()) as { taxonomies: Record<string, unknown> }).taxonomies['20101'];
    expect(await entries()).toEqual(['Interest > Business and Finance']);
    await page.locator('[data-test="found-entries"]').getByText('1,558 entries can be found.').waitFor();
    await typeInto(page.getByLabel('Words of its name, or its id'), 'economy');
    await page.getByRole('button', { name: 'Add Interest > Business and Finance > Economy', exact: true }).click();
    await status(page, 'The entry 4:295 is added to cohort 20101 in project.json.');
    await page.getByLabel('Taxonomy').selectOption('Content Taxonomy 3.0 of the IAB');
    await page.getByText('Google’s tag does not take this taxonomy.').waitFor();
    await page.getByRole('button', { name: /^Add / }).first().click();
    await status(page, /^The entry 7:\d+ is added/);
    expect(await entries()).toEqual([
      'Interest > Business and Finance',
      'Interest > Business and Finance > Economy',
      'Business and Finance > Economy',
    ]);
    expect(inFile()).toEqual([
      { segtax: 4, id: '268' },
      { segtax: 4, id: '295' },
      { segtax: 7, id: '80' },
    ]);
    await told.getByRole('button', { name: 'Remove Interest > Business and Finance', exact: true }).click();
    await status(page, 'The entry 4:268 is removed from cohort 20101 in project.json.');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('What buyers are told');
    await page.getByRole('button', { name: 'Remove Business and Finance > Economy' }).last().click();
    await untilHolds(async () => (await entries()).length === 1, 'the entry that is left');
    // What an editor writes is shown, with what is wrong with it.
    studio.folder.write(studio.folder.text().replace('"295"', '"Economy"'));
    await told.getByText('the Audience Taxonomy 1.1 of the IAB has no entry Economy').waitFor();
    expect(await entries()).toEqual(['Entry Economy']);
    await page.locator('.cohorts').getByText('1 error').waitFor();
    const unsaved = await open('/new/buyers');
    await unsaved.getByText('Save the cohort first.').waitFor();
  });

  test('compares with what is published, publishes after a dry run alone, and goes one step back', async () => {
    const page = await open('/publish');
    await page
      .locator('[data-test="compared"]')
      .getByText(/changes?, counted on 60 visitors/)
      .waitFor();
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    expect(await publish.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await status(page, '2 files would be published. Nothing was written.');
    await page.getByRole('table', { name: 'Files in the order' }).getByText('ledger-web.js').waitFor();
    await publish.click();
    await status(page, 'Published: 2 files.');
    await page.getByText('The file changes nothing.').waitFor();
    studio.folder.write(studio.folder.text().replace('"Active this week"', '"Busy this week"'));
    await page.getByRole('table', { name: 'Changes of cohorts' }).getByText('has another name').waitFor();
    expect(await publish.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await status(page, /would be published/);
    await publish.click();
    await status(page, 'Published: 2 files.');
    await page.getByRole('button', { name: 'One step back' }).click();
    await page.getByRole('button', { name: 'Go back' }).click();
    await status(page, 'The last publication is back.');
    await page.getByRole('table', { name: 'Changes of cohorts' }).getByText('has another name').waitFor();
  });

  test('is used by the keyboard alone', async () => {
    const page = await open('/cohort/20402/make');
    await page.locator('[data-test="cost"]').waitFor();
    await page.locator('#cohort-tab-make').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Counted in/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.cm-content').waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') === null)).toBe(true);
    if (can('focusBack')) {
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(true);
    }
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') === null)).toBe(true);
  });

  listMissing('focusBack', 'gives the focus back to its text');
});
