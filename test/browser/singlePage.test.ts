import type { ClientContext } from '../../src/model/event';
import { changeBundle } from './support/changedBundle';
import { type Arrived, stageForTests } from './support/stage';
import type { Visitor } from './support/visitor';

/** «Finished an article», a cohort of the sample project. */
const left = 20412;

describe('A single-page site', () => {
  const stage = stageForTests();

  const opened = async (query = ''): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(`/blank${query}`);
    await visitor.ready();
    await stage.untilArrived('Pageview');
    return visitor;
  };
  const client = ({ properties }: Arrived): ClientContext => properties['client'] as ClientContext;
  /** Events of that name in their order: where they say that they were, and in which view. */
  const told = async (name: string, count: number): Promise<readonly string[]> => {
    await stage.untilArrived(name, count);
    await stage.untilQuiet();
    const views = (await inOrder('Pageview')).map(({ view_id }) => view_id);
    return (await inOrder(name)).map((event) => {
      const { url, title } = client(event);
      return `${url.replace(stage.demo.site, '')} ${title} ${views.indexOf(event.view_id) + 1}`;
    });
  };
  const inOrder = async (name: string): Promise<readonly Arrived[]> =>
    [...(await stage.arrived(name))].sort((a, b) => Date.parse(a.time) - Date.parse(b.time));

  type Order = 'before' | 'with' | 'after';
  /** A router shows two articles, and calls so long before or after it changes address and title. */
  const readTwo = (visitor: Visitor, order: Order): Promise<void> =>
    visitor.ask(async (permutive, when) => {
      const task = (): Promise<void> => new Promise((done) => setTimeout(() => done(), 20));
      const show = async (path: string, title: string): Promise<void> => {
        const go = (): void => {
          history.pushState(null, '', path);
          document.title = title;
        };
        const call = (): void => permutive.addon('web', { page: { article: title }, completion: () => 1 });
        if (when === 'after') call();
        else go();
        if (when !== 'with') await task();
        if (when === 'after') go();
        else call();
        await task();
      };
      await show('/one', 'One');
      await show('/two', 'Two');
      await show('/three', 'Three');
    }, order);

  test.each<readonly [Order, readonly string[]]>([
    ['before', ['/blank Blank page 1', '/one One 2', '/two Two 3']],
    ['with', ['/blank Blank page 1', '/one One 2', '/two Two 3']],
    // A call is about the page as it is at the call.
    ['after', ['/blank Blank page 1', '/blank Blank page 2', '/one One 3']],
  ])('whose router goes on %s its call completes each view as what it was', async (order, expected) => {
    const visitor = await opened();
    await readTwo(visitor, order);
    expect(await told('PageviewComplete', 3)).toEqual(expected);
    const pageviews = await told('Pageview', 4);
    expect(pageviews.slice(0, 3)).toEqual(expected);
    const referrers = (await inOrder('Pageview')).map((event) => client(event).referrer);
    expect(referrers).toEqual(['', ...pageviews.slice(0, 3).map((text) => stage.demo.site + text.split(' ')[0]!)]);
    expect(await stage.rejected()).toEqual([]);
  });

  test('makes a member of those who have left the article, and not before they have', async () => {
    const visitor = await stage.visitor();
    // The cohort is of those who have left a page with the title «article».
    await changeBundle(visitor.page, {
      'worker.queries': (text) => {
        const changed = text
          .replace('"events":["PageviewComplete"],"path":"type"', '"events":["PageviewComplete"],"path":"client.title"')
          .replace(
            /\{\\"gte\\":0\.9(,\\"p\\":\\"total_completion\\"\},\{\\"in\\":\d+,\\"p\\":\\")type\\"/,
            (_, between: string) => `{\\"gte\\":0${between}client.title\\"`,
          );
        if (changed.split('client.title').length !== text.split('client.title').length + 2)
          throw new Error('The bundle has no such query.');
        return changed;
      },
    });
    await visitor.open('/blank');
    await visitor.ready();
    const show = (path: string, title: string): Promise<void> =>
      visitor.ask(
        (permutive, [to, named]) => {
          history.pushState(null, '', to);
          document.title = named;
          permutive.addon('web', { page: {} });
        },
        [path, title] as const,
      );
    await show('/one', 'One');
    await show('/two', 'article');
    await stage.untilArrived('PageviewComplete', 2);
    await stage.untilQuiet();
    expect(await visitor.ask((permutive, code) => permutive.segment(code), left)).toBe(false);
    await show('/three', 'Three');
    await stage.untilEntered(left);
  });

  test('that shows three articles at one address has three views', async () => {
    const visitor = await opened();
    await visitor.ask((permutive) => {
      for (const id of [1, 2, 3]) permutive.addon('web', { page: { article: { id } } });
    });
    const views = await stage.untilArrived('Pageview', 4);
    expect(new Set(views.map(({ view_id }) => view_id)).size).toBe(4);
    await stage.untilArrived('PageviewComplete', 3);
    expect((await inOrder('PageviewComplete')).map(({ properties }) => properties['article'])).toEqual([
      undefined,
      { id: 1 },
      { id: 2 },
    ]);
  });

  test('whose addresses differ in a redacted id alone has a view for each, and tells no id', async () => {
    const visitor = await opened('?sid=101');
    await visitor.ask((permutive) => {
      history.pushState(null, '', '/blank?sid=102');
      permutive.addon('web', { page: { type: 'blank' } });
    });
    expect(await told('Pageview', 2)).toEqual(['/blank?sid=* Blank page 1', '/blank?sid=* Blank page 2']);
    expect(JSON.stringify([visitor.batches, await visitor.storage()])).not.toMatch(/sid=10/);
  });

  test('calls twice, as frameworks do in development: once is counted', async () => {
    const visitor = await opened();
    await visitor.ask((permutive) => {
      history.pushState(null, '', '/one');
      for (const page of [
        { a: 1, b: 2 },
        { a: 1, b: 2 },
      ])
        permutive.addon('web', { page });
    });
    await visitor.track('After');
    expect(await told('Pageview', 2)).toEqual(['/blank Blank page 1', '/one Blank page 2']);
    expect(await told('After', 1)).toEqual(['/one Blank page 2']);
  });

  test('replaces its body, as Turbo does, first by a copy and then by the page: one view, whose links are told', async () => {
    const visitor = await opened();
    await visitor.page.evaluate(() => {
      const body = (text: string): HTMLBodyElement => {
        const made = document.createElement('body');
        const [script, link] = [document.createElement('script'), document.createElement('a')];
        script.textContent = `permutive.addon('web', { page: { article: 'two' }, track_link_click: true });`;
        script.nonce = document.querySelector('script')?.nonce ?? '';
        link.href = '#there';
        link.textContent = text;
        made.append(script, link);
        return made;
      };
      history.pushState(null, '', '/two');
      document.title = 'Two';
      document.body = body('copy');
      document.body = body('page');
    });
    await visitor.page.click('a');
    await stage.untilArrived('LinkClick');
    expect(await told('Pageview', 2)).toEqual(['/blank Blank page 1', '/two Two 2']);
    const [click] = await stage.arrived('LinkClick');
    expect(click).toMatchObject({ properties: { article: 'two' } });
  });
});
