import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { partAt } from '../../bundle/fileNames';
import type { Demo } from '../../demo/servers';
import { needs } from './support/needs';
import { type OwnChromium, ownChromium } from './support/ownChromium';
import { stageForTests } from './support/stage';
import { until } from './support/until';

/** What a page says of itself to its server. */
interface Said {
  readonly moment: 'loaded' | 'opened';
  readonly prerendering: boolean;
  readonly cookies: string;
  readonly stored: readonly string[];
}

/** Tells the server of the page, a second and a half after it has loaded, and once it is opened. */
const telling = `<script>
  const tell = (moment) => fetch('/said', { method: 'POST', body: JSON.stringify({
    moment, prerendering: document.prerendering, cookies: document.cookie, stored: Object.keys(localStorage),
  }) });
  addEventListener('load', () => setTimeout(tell, 1500, 'loaded'));
  document.addEventListener('prerenderingchange', () => tell('opened'));
</script>`;

/** Prerenders the next page at once, and goes there when its server answers. */
const launching = `<!doctype html><title>Before</title>
<script type="speculationrules">{ "prerender": [{ "urls": ["/blank"], "eagerness": "immediate" }] }</script>
<script>fetch('/go').then(() => { location.href = '/blank'; });</script>`;

interface Journey {
  readonly said: readonly Said[];
  /** Parts of the bundle that the page has asked for. */
  readonly parts: readonly string[];
  /** Purposes with which the browser has asked for the page, as it says them. */
  readonly purposes: readonly unknown[];
  /** The visitor opens the page. */
  readonly go: () => void;
  readonly end: () => Promise<void>;
}

/** A visitor on a page whose next page is prerendered. The page and the bundle come from one server. */
const journey = async ({ site, cdn }: Demo): Promise<Journey> => {
  const said: Said[] = [];
  const parts: string[] = [];
  const purposes: unknown[] = [];
  let go = (): void => undefined;
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/launch') response.setHeader('content-type', 'text/html').end(launching);
    else if (url === '/go') go = () => response.end();
    else if (url === '/said') {
      let body = '';
      request.on('data', (text: Buffer) => (body += text.toString()));
      request.on('end', () => {
        said.push(JSON.parse(body) as Said);
        response.end();
      });
    } else {
      if (url === '/blank') purposes.push(request.headers['sec-purpose']);
      const part = partAt(url);
      if (part !== undefined) parts.push(part);
      void fetch((part === undefined ? site : cdn) + url).then(async (answer) => {
        const text = (await answer.text()).replaceAll(cdn, '');
        response.setHeader('content-type', answer.headers.get('content-type') ?? '');
        response.end(url === '/blank' ? `${text}${telling}` : text);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser: OwnChromium = ownChromium();
  browser.startAlone(`http://localhost:${(server.address() as AddressInfo).port}/launch`);
  return {
    said,
    parts,
    purposes,
    go: () => go(),
    end: async () => {
      await browser.remove();
      server.closeAllConnections();
      server.close();
    },
  };
};

describe('A page that the browser prerenders', () => {
  const stage = stageForTests();

  const whilePrerendered = async (act: (visit: Journey) => Promise<void>): Promise<void> => {
    const visit = await journey(stage.demo);
    try {
      await until(() => Promise.resolve(visit.said[0]), 'the prerendered page');
      await stage.untilIdle();
      await act(visit);
    } finally {
      await visit.end();
    }
  };

  needs('prerendering')(
    'asks and stores nothing while nobody has opened it, and starts then, as a page that has just loaded',
    () =>
      whilePrerendered(async ({ said, parts, purposes, go }) => {
        expect(purposes).toEqual([expect.stringContaining('prerender')]);
        expect(said).toEqual([{ moment: 'loaded', prerendering: true, cookies: '', stored: [] }]);
        expect(await stage.requests()).toEqual([]);
        expect(parts).toEqual(['', 'main']);

        const openedAt = Date.now();
        go();
        const [pageview, ...others] = await stage.untilArrived('Pageview');
        await stage.untilArrived('SegmentEntry');
        expect(others).toEqual([]);
        expect(Date.parse(pageview?.time ?? '')).toBeGreaterThanOrEqual(openedAt);
        expect(await stage.arrived('Pageview')).toHaveLength(1);
        // The same document: the browser has not asked for it again.
        expect(purposes).toHaveLength(1);
        expect(said.map(({ moment }) => moment)).toEqual(['loaded', 'opened']);
        expect(parts).toEqual(expect.arrayContaining(['worker', 'worker.queries']));
        expect(parts).not.toContain('engine');
      }),
  );
});
