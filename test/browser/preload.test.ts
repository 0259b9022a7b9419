import { partFile } from './support/bundleFile';
import { openChanged } from './support/changedPage';
import { builtHead } from './support/examplePage';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { refusedWorkers, scriptFile, type Visitor } from './support/visitor';

const mainFile = partFile('main');
const deferredFile = partFile('deferred');
const consent = JSON.stringify({ opt_in: true, token: 't' });
const refusal = JSON.stringify({ opt_in: false });
/** The worker has no nonce, so this policy refuses it. */
const nonces = `<meta http-equiv="content-security-policy" content="script-src 'nonce-n'">`;

/** How often the visitor's pages have asked for a file. */
const askedFor = ({ asked }: Visitor, file = mainFile): number => asked.filter((url) => file.test(url)).length;

const untilAsked = (visitor: Visitor, file = mainFile): Promise<true> =>
  until(() => Promise.resolve(askedFor(visitor, file) > 0 || undefined), `the request for ${file.source}`);

describe('The head that the build writes', () => {
  const stage = stageForTests();

  /** Opens a page with that head. The page script does not come before the function that this one answers is called. */
  const open = async (visitor: Visitor, change: (head: string) => string = (head) => head) => {
    const release = await visitor.hold(scriptFile);
    const html = (): string => `<!doctype html><html lang="en"><head>${change(builtHead(stage.demo))}</head><body>`;
    await openChanged(visitor, stage.demo.site, '', html, 'domcontentloaded');
    return release;
  };
  /** The head of a page that has this in its storage, and these settings. */
  const having =
    (stored: string, settings = '') =>
    (head: string) =>
      `<script>localStorage.setItem('permutive-consent', '${stored}')</script>${requiring(head, settings)}`;
  const requiring = (head: string, settings = 'consentRequired: true,'): string =>
    head.replace(/(?<=-[\da-f]{12}', \{)(?="apiHost)/, settings);

  test.each<[string, (head: string) => string]>([
    ['consent is not required', (head) => head],
    ['consent is required and stored', having(consent, 'consentRequired: true,')],
  ])('has the main part loaded before the page script has come, once, where %s', async (_, change) => {
    const visitor = await stage.visitor();
    const release = await open(visitor, change);
    await untilAsked(visitor);
    release();
    await visitor.ready();
    expect(askedFor(visitor)).toBe(1);
    expect(await visitor.warnings()).toEqual([]);
  });

  test('has it loaded where the policy of the page wants a nonce', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    const release = await open(visitor, (head) => nonces + head.replace(/<script/g, '<script nonce="n"'));
    await untilAsked(visitor);
    release();
    await visitor.ready();
    expect(askedFor(visitor)).toBe(1);
  });

  test.each<[string, (head: string) => string]>([
    ['the visitor was not asked', (head) => requiring(head)],
    ['the visitor has refused', having(refusal)],
    [
      'the page has queued a refusal',
      (head) => head.replace('<link', `<script>permutive.consent(${refusal})</script>$&`),
    ],
    [
      'storage is blocked',
      (head) => `<script>Object.defineProperty(window, 'localStorage', { get() { throw 0; } })</script>${head}`,
    ],
  ])('asks for nothing where %s', async (_, change) => {
    const visitor = await stage.visitor();
    const release = await open(visitor, change);
    // A later request of the page comes after a preload.
    await visitor.page.evaluate(() => fetch('/assets/googletag.js').then((answer) => answer.text()));
    expect(askedFor(visitor)).toBe(0);
    expect(await visitor.page.evaluate(() => document.querySelector('link')?.rel)).toBe('permutive-main');
    release();
  });
});

describe('While the main part loads, the deferred parts', () => {
  const stage = stageForTests();

  const openHead = async (visitor: Visitor, change: (head: string) => string) => {
    const release = await visitor.hold(mainFile);
    const html = (): string => `<!doctype html><html lang="en"><head>${change(builtHead(stage.demo))}</head><body>`;
    await openChanged(visitor, stage.demo.site, '', html, 'domcontentloaded');
    await untilAsked(visitor);
    return release;
  };

  test.each<[string, (head: string) => string]>([
    ['the page has pinned the script', (head) => head],
    ['the page has not', (head) => head.replace(/(?<=<script[^>]*) integrity="[^"]*"/g, '').replace(/<link[^>]*>/, '')],
    ['the policy of the page wants a nonce', (head) => nonces + head.replace(/<script/g, '<script nonce="n"')],
  ])('load too, once, where %s', async (_, change) => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    const release = await openHead(visitor, change);
    await untilAsked(visitor, deferredFile);
    release();
    // The page hears of it once they have come.
    await visitor.ready();
    expect([askedFor(visitor), askedFor(visitor, deferredFile)]).toEqual([1, 1]);
  });

  test('wait for it where the visitor has refused', async () => {
    const visitor = await stage.visitor();
    const release = await openHead(
      visitor,
      (head) => `<script>localStorage.setItem('permutive-consent', '${refusal}')</script>${head}`,
    );
    await visitor.page.evaluate(() => fetch('/assets/googletag.js').then((answer) => answer.text()));
    expect(askedFor(visitor, deferredFile)).toBe(0);
    release();
  });
});
