import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { partAt } from '../../bundle/fileNames';
import { publish, updateDefinitions } from '../../bundle/published';
import { visitFiles } from '../../bundle/visitFiles';
import { builtFile, scriptName } from './support/bundleFile';
import { needs } from './support/needs';
import { openPublisher } from './support/publisher';
import { stageForTests } from './support/stage';
import type { Visitor } from './support/visitor';

const built = resolve(__dirname, '../../dist');
/** So old that a browser does not use the page script before it has asked for another one, in s. */
const tooOld = 4000;
/** Longer than the SDK waits for an ad tag before it says that there is none, which loads nothing. */
const quietMs = 3500;
const required = '/blank?consent=required';

/** The same build with other definitions, as a build of the definitions alone leaves it in this folder. */
const withDefinitions = (out: string, queriesOf: (text: string) => string): void => {
  cpSync(built, out, { recursive: true });
  const change = (part: string, ending: string, changed: (text: string) => string): void =>
    writeFileSync(join(out, `${scriptName}.${part}.${ending}`), changed(readFileSync(builtFile(part), 'utf8')));
  change('worker.queries', 'js', queriesOf);
  change('cohorts', 'json', (text) => `${text}\n`);
  updateDefinitions(out);
  publish(out, '20.40.0');
};

describe('The CDN sends of the bundle', () => {
  const stage = stageForTests();
  const folder = mkdtempSync(join(tmpdir(), 'visits-'));
  let publisher: Awaited<ReturnType<typeof openPublisher>>;

  beforeEach(async () => {
    publisher = await openPublisher(stage.demo.site);
    publisher.name();
    publisher.upload(built);
  });
  afterEach(() => publisher.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The parts that the CDN sends to the next page of a visitor, until nothing more comes. */
  const sentTo = async (visitor: Visitor, path: string, act = (): Promise<unknown> => Promise.resolve()) => {
    await visitor.page.goto(publisher.site + path);
    await act();
    await stage.untilQuiet(quietMs);
    return publisher.takeServed().map(partAt).sort();
  };
  /** Sees a page, after which the page script that the browser has is too old to be used again. */
  const seen = async (visitor: Visitor, path: string, act: () => Promise<unknown>): Promise<void> => {
    publisher.setAge(tooOld);
    await sentTo(visitor, path, act);
    publisher.setAge(0);
  };
  const refuse = (visitor: Visitor) => () =>
    visitor.ask((permutive, answer) => permutive.consent(answer), { opt_in: false });

  test('the page script alone where consent is required and not given', async () => {
    const visitor = await stage.visitor();
    const sent = await sentTo(visitor, required, () => visitor.untilWarned('No consent to run on the page'));
    expect(sent).toEqual([...visitFiles.unasked.parts].sort());
  });

  test('the main part too where the visitor refuses', async () => {
    const visitor = await stage.visitor();
    const sent = await sentTo(visitor, required, refuse(visitor));
    expect(sent).toEqual([...visitFiles.refusing.parts].sort());
  });

  test('six files to a first visit where no consent is required, and no ad tag is on the page', async () => {
    const visitor = await stage.visitor();
    const entered = () => stage.untilArrived('SegmentEntry');
    expect(await sentTo(visitor, '/blank?gpt=none', entered)).toEqual([...visitFiles.first.parts].sort());
  });

  test('the explanations too to a page that asks for one', async () => {
    const visitor = await stage.visitor();
    const ask = async () => {
      await stage.untilArrived('SegmentEntry');
      expect(await visitor.ask((permutive) => permutive.explain(20123))).toMatch(/^Cohort 20123:/);
    };
    const sent = await sentTo(visitor, '/blank?gpt=none', ask);
    expect(sent).toEqual([...visitFiles.first.parts, 'worker.explanations'].sort());
  });

  test('cloud lift too where something happens that the server counts', async () => {
    const visitor = await stage.visitor();
    const lifting = join(folder, 'lifting');
    withDefinitions(lifting, (text) => text.replace('"lift":{"events":[', '$&"Pageview",'));
    publisher.upload(lifting);
    const lifted = visitor.page.waitForRequest(/\/cloud-lift\/v1\/lift\?/);
    const sent = await sentTo(visitor, '/blank?gpt=none', () => lifted);
    expect(sent).toEqual([...visitFiles.first.parts, 'worker.lift'].sort());
  });

  test('the same files where the visitor consents', async () => {
    const visitor = await stage.visitor();
    const consent = async () => {
      await visitor.ask((permutive, answer) => permutive.consent(answer), { opt_in: true, token: 't' });
      await stage.untilArrived('SegmentEntry');
    };
    expect(await sentTo(visitor, required, consent)).toEqual([...visitFiles.first.parts].sort());
  });

  needs('keptFiles')('the page script to a later visit where it is too old, and nothing where it is not', async () => {
    const visitor = await stage.visitor();
    await seen(visitor, '/blank', () => visitor.ready());
    expect(await sentTo(visitor, '/blank?later', () => visitor.ready())).toEqual([...visitFiles.later.parts].sort());
    expect(await sentTo(visitor, '/blank?soon', () => visitor.ready())).toEqual([]);
  });

  needs('keptFiles')('the page script to a visitor who has refused', async () => {
    const visitor = await stage.visitor();
    await seen(visitor, required, refuse(visitor));
    expect(await sentTo(visitor, `${required}&later`)).toEqual([...visitFiles.later.parts].sort());
  });

  needs('keptFiles')('the page script and the queries once cohorts were published', async () => {
    const visitor = await stage.visitor();
    await seen(visitor, '/blank', () => visitor.ready());
    const published = join(folder, 'published');
    withDefinitions(published, (text) => `${text}\n`);
    publisher.upload(published);
    // Firefox may use the page script before once more, while it asks for another one.
    const sent = [
      ...(await sentTo(visitor, '/blank?published', () => visitor.ready())),
      ...(await sentTo(visitor, '/blank?again', () => visitor.ready())),
    ];
    expect(sent.sort()).toEqual([...visitFiles.published.parts].sort());
  });
});
