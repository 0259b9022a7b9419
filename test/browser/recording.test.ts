import { replayProject } from '../../command/replayProject';
import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../project/readProject';
import { json } from '../../src/hardening/plainJson';
import { parseLog } from '../../src/inspector/parseLog';
import { differences, outcomes } from '../../src/inspector/replay/outcomes';
import { replayLog } from '../../src/inspector/replay/replayLog';
import { partFile } from './support/bundleFile';
import { letPass, withClock } from './support/clock';
import { layerOf } from './support/inspector';
import { can, listMissing } from './support/needs';
import { stageForTests } from './support/stage';
import { untilSteady } from './support/until';
import { untilSettled } from './support/untilSettled';
import type { Tab, Visitor } from './support/visitor';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const gigWork = '/personal-finance/gig-works-missing-payslip';
const inspected = '?__permutive.inspector=true';

/** The methods of the inspector. */
interface Tools {
  readonly record: () => Promise<void>;
  readonly recording: () => Promise<string>;
  readonly doctor: () => Promise<readonly { readonly finding: string }[]>;
}
const recordingOf = (tab: Tab): Promise<string> => tab.ask((permutive) => (permutive as unknown as Tools).recording());

/** What a replay could change: storage, cookies, the document, the key values, and what the page's tags are told. */
const traces = async (visitor: Visitor) => ({
  storage: await visitor.storage(),
  cookies: await visitor.cookies(),
  targeting: await visitor.targeting(),
  heard: await visitor.heard(),
  page: await visitor.page.evaluate(() => ({
    session: Object.entries(sessionStorage),
    elements: document.querySelectorAll('*').length,
    scripts: document.scripts.length,
  })),
});

describe('A recording', () => {
  const stage = stageForTests();

  test('of a page replays to the same transitions and uploads', async () => {
    const visitor = await stage.visitor();
    // What the first page stores of the visitor, the second one starts from.
    await visitor.open(savings);
    await visitor.ready('realtime');
    await untilSettled(stage, visitor);
    await visitor.open(gigWork + inspected);
    await visitor.ready('realtime');
    await visitor.track('Recorded', { n: 1 });
    // The second page view makes a cohort.
    await stage.untilEntered(20403);
    await untilSettled(stage, visitor);
    const text = await recordingOf(visitor);

    const log = parseLog(text, json);
    expect(log.header).toMatchObject({ v: 1, complete: true, dropped: 0 });
    const recorded = outcomes(log.lines);
    const names = recorded.map(({ type }) => type);
    expect(names).toEqual(expect.arrayContaining(['Pageview', 'Recorded', 'entry', 'SegmentEntry']));
    const project = await replayProject(readProject(writeSampleProject()));
    const replayed = outcomes(replayLog(text, project, json));
    expect(differences(recorded, replayed)).toEqual([]);
  });

  test('is replayed in its tab, and the page does not notice', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await visitor.open(savings + inspected);
    await visitor.ready('realtime');
    await visitor.track('Recorded', { n: 1 });
    await stage.untilArrived('Recorded');
    // Services tell of cohorts that have not changed for 5 s.
    await letPass(visitor.page, 6000);
    await untilSettled(stage, visitor);
    const frame = await layerOf(visitor);
    await frame.click('#tab-Replay');
    const text = await recordingOf(visitor);

    if (can('downloads')) {
      const saved = visitor.page.waitForEvent('download');
      await frame.click('button:text-is("Save as marble test")');
      expect((await saved).suggestedFilename()).toBe('recording.marbles.ts');
    }

    const asked: string[] = [];
    visitor.context.on('request', (request) => asked.push(request.url()));
    // Whoever has clicked an ad by the look of it has entered a cohort, and the state is stored later.
    await untilSteady(() => traces(visitor), 2000);
    const before = await traces(visitor);
    await frame.click('button:text-is("Replay here")');
    await frame.waitForSelector('[aria-label="Outcome"] .good:has-text("The same has happened")');
    expect(await frame.textContent('[aria-label="Outcome"] table')).toContain('Recorded');

    const changed = text.replaceAll('\\"name\\":\\"Recorded\\"', '\\"name\\":\\"Changed\\"');
    expect(changed).not.toBe(text);
    const file = (content: string) => ({ name: 'a.ndjson', mimeType: 'text/plain', buffer: Buffer.from(content) });
    await frame.setInputFiles('input[type="file"]', file(changed));
    const different = await frame.waitForSelector('[aria-label="Outcome"] .bad + pre');
    expect(await different.textContent()).toMatch(/^only in the log: .*"Changed"/);
    await frame.setInputFiles('input[type="file"]', file('no log'));
    await frame.waitForSelector('[aria-label="Outcome"] .bad:has-text("Line 1 of the log")');

    expect(await traces(visitor)).toEqual(before);
    // Only the file of the engine, which the page has in a worker.
    if (can('quietFrames')) expect(asked.filter((url) => !partFile('engine').test(url))).toEqual([]);
  });

  listMissing('quietFrames', 'asks for nothing but a file while it is replayed');
  listMissing('downloads', 'is saved as a marble test');

  test('that begins late has what happens from then on', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready('realtime');
    expect(await recordingOf(visitor)).toBe('');
    await visitor.ask((permutive) => (permutive as unknown as Tools).record());
    await visitor.track('Late', { n: 2 });
    await stage.untilArrived('Late');
    const { header, lines } = parseLog(await recordingOf(visitor), json);
    expect(header.complete).toBe(false);
    expect(lines.map(({ lane, type }) => `${lane} ${type}`)).toEqual(
      expect.arrayContaining(['calls track', 'events Late', 'uploads request']),
    );
    expect(await visitor.ask((permutive) => (permutive as unknown as Tools).doctor())).toContainEqual(
      expect.objectContaining({ where: 'sdk' }),
    );
  });
});
