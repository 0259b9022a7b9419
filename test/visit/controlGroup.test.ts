import * as fc from 'fast-check';
import { asyncScheduler, of, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { dfp } from '../../src/addons/googleAdManager/dfp';
import { prebidData } from '../../src/addons/prebid/prebidData';
import { scriptRunner } from '../../src/addons/scriptRunner/scriptRunner';
import { facebookV2 } from '../../src/addons/segmentPartners/facebook';
import { freewheel, localStorage, nativo, rubicon } from '../../src/addons/storedCodes/storedCodes';
import { trackingPixel } from '../../src/addons/trackingPixel/trackingPixel';
import { web } from '../../src/addons/web/web';
import type { Fields } from '../../src/codecs/codecs';
import { type Experiment, experimentOf, noExperiment } from '../../src/contracts/experiment';
import { takenAnswer } from '../../src/fakePlatform/fakeHttp';
import type { MemoryStorage } from '../../src/fakePlatform/memoryStorage';
import type { Event } from '../../src/model/event';
import type { PageProject } from '../../src/model/project';
import { localKeys, storeKeys } from '../../src/model/storageKeys';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { notAmong } from '../../src/primitives/lists';
import { cohortServices } from '../../src/visit/visitServices';
import { start, stopAll } from '../support/bootedPage';
import { noon, visitorId } from '../support/events';
import { asyncLawOf } from '../support/laws';
import { lateParts } from '../support/project';
import { engineOf, membershipOf } from '../support/world';
import { fakeGoogletag } from '../support/world/googletag';

/** Cohorts with numbers that nothing else on the page has. */
const cohorts = ['730001', '730002', '10730003'];
const platforms = ['dfp', 'rubicon_ssp', 'nativo', 'freewheel', 'segment_sync', 'ix', 'pubmatic'];

const lineOf = (sc: string, tt: 'EveryTime' | 'OnEntry', c: Readonly<Record<string, unknown>>) => ({
  ...{ id: `${tt}${sc}`, short_id: sc, sc, tt },
  c,
});
/** What addons do at each cohort. */
const activations = {
  local_storage: cohorts.map((id) => lineOf(id, 'EveryTime', { storage_key: 'publisher' })),
  scriptrunner: cohorts.map((id) => lineOf(id, 'EveryTime', { script: `script ${id}` })),
  tracking_pixel: cohorts.map((id) => lineOf(id, 'OnEntry', { pixel_url: `https://pixel.example/${id}` })),
  facebook_v2: cohorts.map((id) => lineOf(id, 'EveryTime', {})),
};
const entries = Object.fromEntries(cohorts.map((id) => [id, [`entry ${id}`]]));
const project: Partial<PageProject> = {
  addons: { web: {}, dfp: {}, rubicon: {}, nativo: {}, freewheel: {}, prebid_data: { taxonomies: { 4: entries } } },
  platformCohorts: Object.fromEntries(platforms.map((platform) => [platform, cohorts.map(Number)])),
};
const definition = { tpdProviders: [], amp: true, startsSecureSignal: true, lookalikes: [cohorts[0]!] };
const deferred = [rubicon, nativo, freewheel, localStorage, scriptRunner, trackingPixel, facebookV2, prebidData];

/** At each step, the visitor's cohorts become these, after a while; or the page tracks or is hidden. */
type Step = readonly string[] | 'track' | 'hide';
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.subarray(cohorts) as fc.Arbitrary<Step> },
    { weight: 1, arbitrary: fc.constantFrom<Step[]>('track', 'hide') },
  ),
  { minLength: 1, maxLength: 6 },
);

/** What a visit has told whom. */
interface Visit {
  /** What the page and its tags were told, in this order. */
  readonly heard: readonly (readonly unknown[])[];
  /** What lies in the browser and was sent to partners. */
  readonly left: unknown;
  /** Of Google's tag, before the page is left. */
  readonly targeting: (key: string) => readonly string[];
  readonly ortb2: unknown;
  readonly uploaded: readonly (Event & { readonly experiment_group?: string })[];
  /** What the engine was told. */
  readonly evaluated: readonly { readonly type: string; readonly event?: Event }[];
  readonly reports: readonly string[];
}

/** Uploads, and services that find cohorts by others. */
const toPublisher = ['/batch/events', '/adv/v4/segment', '/clm/v1/segment'];

/** A server that knows which cohorts AMP pages use, and has a secure signal. */
const answerTo = (request: HttpRequest): HttpAnswer => {
  const answers = { '-amp.json': { query: { cohorts } }, '/v1/signal': { signal: 'signal', expires_in: 3600 } };
  const [, answer] = Object.entries(answers).find(([part]) => request.url.includes(part)) ?? [];
  return answer === undefined ? takenAnswer(request) : { status: 200, body: JSON.stringify(answer) };
};

/** What lies in local storage, but the state of the SDK itself. */
const storedFor = (local: MemoryStorage): unknown => {
  // Which cohorts AMP pages use is the same for everybody.
  const { ampQuery: _, ...notes } = JSON.parse(local.read(localKeys.notes) ?? '{}') as Fields;
  const { appState, codeEnds, notes: noted, group } = localKeys;
  const own: readonly string[] = [appState, codeEnds, noted, group, ...Object.values(storeKeys)];
  const isOwn = (key: string): boolean => own.includes(key) || key.startsWith(localKeys.localJournal);
  return [notes, Object.entries(local.all()).filter(([key]) => !isOwn(key))];
};

/** Plays a visit of the story, in which the control group has so many percent of the visitors. */
const play = async (story: readonly Step[], experiment: Experiment): Promise<Visit> => {
  const heard: (readonly unknown[])[] = [];
  const googletag = fakeGoogletag((...change) => heard.push(change));
  const ortb2Of: { ortb2: unknown } = { ortb2: {} };
  const pbjs = {
    que: { push: (command: () => void) => command() },
    getConfig: () => ortb2Of.ortb2,
    setConfig: ({ ortb2 }: { readonly ortb2: unknown }) => heard.push(['ortb2', (ortb2Of.ortb2 = ortb2)]),
  };
  const targeting = new Map<string, readonly string[]>();
  let finalOrtb2: unknown;
  const fbq = (...args: readonly unknown[]) => heard.push(args);
  const run = (): Visit => {
    const page = start([{ functionName: 'addon', arguments: ['web', {}] }], {
      now: () => noon + asyncScheduler.now(),
      cookies: { 'permutive-id': visitorId },
      local: { 'permutive-id': visitorId },
      broken: { endOfTask: () => timer(1) },
      page: { mark: (name) => heard.push([name]) },
      send: (request) => of(answerTo(request)),
      config: { loggingEnabled: true, tracingEnabled: true },
      globals: { googletag, pbjs, fbq },
      addons: [web, dfp],
      project,
      experiment,
      loadDeferred: () => [
        lateParts({ cohortServices, addons: deferred, activations, addonOptions: project.addons ?? {}, definition }),
      ],
    });
    const { platform, invoke } = page;
    // What starts up finds a cohort of the last page.
    let members: readonly string[] = cohorts.slice(1, 2);
    engineOf(platform).initialise(...members);
    const note = (...args: readonly unknown[]) => heard.push(args);
    invoke('on', /./, note);
    for (const id of cohorts) invoke('trigger', Number(id), 'result', note);
    (page.tag['transitions$'] as { readonly forEach: (next: typeof note) => void } | undefined)?.forEach(note);
    const act = (step: Step): void => {
      if (step === 'track') return void invoke('track', 'Anything', {});
      if (step === 'hide') {
        platform.setHidden(true);
        platform.fire('document', 'visibilitychange');
        platform.setHidden(false);
        return platform.fire('document', 'visibilitychange');
      }
      const time = noon + asyncScheduler.now();
      const entered = notAmong(step, members).map((id) => ({ id, entry: true, time }));
      const left = notAmong(members, step).map((id) => ({ id, entry: false, time }));
      members = step;
      engineOf(platform).say({ type: 'changed', membership: membershipOf(...step) });
      engineOf(platform).say({ type: 'transitions', transitions: [...entered, ...left] });
    };
    timer(103).subscribe(() => engineOf(platform).say({ type: 'barrierReached', name: 'realtime' }));
    story.forEach((step, i) => timer(1003 + i * 7000).subscribe(() => act(step)));
    timer(60_003).subscribe(() => {
      for (const key of ['permutive', 'prmtvexp']) targeting.set(key, googletag.targeting.get(key));
      finalOrtb2 = ortb2Of.ortb2;
      invoke('segments', note);
      void (invoke('startup') as Promise<unknown>).then(note);
      platform.fire('window', 'pagehide');
    });
    timer(70_003).subscribe(page.stop);
    return {
      heard,
      get left() {
        const requests = platform.requests.filter(({ url }) => !toPublisher.some((part) => url.includes(part)));
        return [storedFor(platform.local), [...platform.jar], requests, platform.pixels, platform.scripts];
      },
      targeting: (key) => targeting.get(key) ?? [],
      get ortb2() {
        return finalOrtb2;
      },
      get uploaded() {
        return platform.requests
          .filter(({ url }) => url.includes('/batch/events'))
          .flatMap(({ body }) => JSON.parse(body ?? '[]') as Visit['uploaded']);
      },
      get evaluated() {
        return platform.engines.flatMap(({ heard }) => heard);
      },
      get reports() {
        return page.logged();
      },
    };
  };
  const visit = new TestScheduler(() => undefined).run(({ flush }) => {
    const played = run();
    flush();
    return played;
  });
  // What is promised is there after the microtasks.
  await new Promise(setImmediate);
  return visit;
};

afterEach(stopAll);

const experiment = (percent: number, of?: readonly string[]): Experiment =>
  experimentOf({ percent, salt: 'spring', ...(of && { cohorts: of }) });
/** Reactions take numbers and ids of their own. */
const ownFields = new Set(['id', 'number', 'experiment_group']);
/** What the groups share of these events and messages, as text. */
const sharedText = (list: readonly object[]): string =>
  JSON.stringify(list, (key, value: unknown) => (ownFields.has(key) && typeof value !== 'object' ? undefined : value));
/** What everybody on the page could see, and partners' servers were told, as text. */
const toldText = ({ heard, left }: Visit): string => JSON.stringify([heard, left]);
/** Events of the publisher's own addons, which act for one group alone. */
const isReaction = ({ name }: Pick<Event, 'name'>): boolean => name === 'Reaction';
/** What services report for want of a server. */
const withoutServer = [
  'Failed to fetch classification model cohorts',
  'Failed to decode data from response: (root): expected AdvertiserSegmentAnswer',
];
const everything: readonly Step[] = [cohorts, 'track', [], cohorts, 'hide'];

describe('a visitor of the control group', () => {
  it('is evaluated and uploaded as any other, and no cohort is told', async () => {
    const control = await play(everything, experiment(100));
    const exposed = await play(everything, experiment(0));
    const plain = await play(everything, noExperiment);
    for (const { reports } of [control, exposed, plain]) expect(notAmong(reports, withoutServer)).toEqual([]);
    // The same is told by every way that there is, where cohorts are told.
    for (const id of cohorts) {
      expect(toldText(exposed)).toContain(id);
      expect(toldText(control)).not.toContain(id);
    }
    expect(exposed.targeting('permutive')).toEqual([...cohorts, 'rts']);
    expect(control.targeting('permutive')).toEqual(['rts']);
    expect([control, exposed, plain].map(({ targeting }) => targeting('prmtvexp'))).toEqual([
      ['control'],
      ['exposed'],
      [],
    ]);
    expect(control.ortb2).toEqual({ user: { ext: { data: { prmtvexp: 'control' } } } });
    expect(JSON.stringify(exposed.ortb2)).toContain('entry 730001');
    expect(exposed.ortb2).toMatchObject({ user: { ext: { data: { prmtvexp: 'exposed' } } } });
    expect(new Set(control.uploaded.map((event) => event.experiment_group))).toEqual(new Set(['control']));
    expect(new Set(exposed.uploaded.map((event) => event.experiment_group))).toEqual(new Set(['exposed']));
    expect(plain.uploaded.some((event) => 'experiment_group' in event)).toBe(false);
    expect(control.uploaded.filter(({ name }) => name === 'SegmentEntry')).toHaveLength(5);
    expect(JSON.stringify(control.uploaded.find(({ name }) => name === 'PageviewComplete'))).toContain('730001');
    expect(exposed.uploaded.filter(isReaction)).not.toEqual([]);
    expect(control.uploaded.filter(isReaction)).toEqual([]);
  });

  it('is told of the cohorts that the experiment is not about', async () => {
    const visit = await play(everything, experiment(100, cohorts.slice(1)));
    expect(toldText(visit)).toContain(cohorts[0]);
    for (const id of cohorts.slice(1)) expect(toldText(visit)).not.toContain(id);
    expect(visit.targeting('permutive')).toEqual([cohorts[0], 'rts']);
    expect(visit.targeting('prmtvexp')).toEqual(['control']);
  });

  it(
    'differs from the exposed group in nothing but what is told',
    asyncLawOf(300)(steps, async (story) => {
      const control = await play(story, experiment(100));
      const exposed = await play(story, experiment(0));
      expect(sharedText(control.uploaded)).toBe(sharedText(exposed.uploaded.filter((event) => !isReaction(event))));
      expect(sharedText(control.evaluated)).toBe(
        sharedText(exposed.evaluated.filter(({ event }) => event === undefined || !isReaction(event))),
      );
      expect(control.reports).toEqual(exposed.reports);
      for (const id of cohorts) expect(toldText(control)).not.toContain(id);
    }),
  );

  it(
    'is where nobody has an experiment but for the group',
    asyncLawOf(300)(steps, async (story) => {
      const exposed = await play(story, experiment(0));
      const plain = await play(story, noExperiment);
      expect(sharedText(exposed.uploaded)).toBe(sharedText(plain.uploaded));
      expect(sharedText(exposed.evaluated)).toBe(sharedText(plain.evaluated));
      expect(exposed.left).toEqual(plain.left);
      const butGroup = ({ heard }: Visit): unknown => heard.filter(([name]) => name !== 'prmtvexp' && name !== 'ortb2');
      expect(butGroup(exposed)).toEqual(butGroup(plain));
    }),
  );
});
