import { letPass, withClock } from './support/clock';
import { cohortText, frameOf } from './support/inspector';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilRefused } from './support/untilRefused';
import { untilSettled } from './support/untilSettled';
import type { Visitor } from './support/visitor';

/** Its words fit the audience «Home and garden», which no query finds. */
const article = '/tech/how-to/lock-down-a-home-office-in-one-evening';
const homeAndGarden = 10_000_043;
const answered = {
  c: {
    cohorts: [
      { code: 'northfield-ac', groups: [0] },
      { code: 'harbour', groups: [0, 1] },
      { code: 'room', groups: [2] },
    ],
    groups: { types: ['budget', 'pacing', 'clean_room'], counts: [3, 0, 1] },
  },
  ctx: null,
};
/** Paths of what only services ask for. */
const servicePaths = ['affinity', '/adv/', '/clm/', '-amp.json', '/amp/cohorts', '/sync/'];

interface WithExplain {
  readonly explain: (code: number | string) => Promise<string | null>;
}

describe('Cohorts of services', () => {
  const stage = stageForTests();

  beforeEach(() => stage.fault({ path: '/adv/v4/segment' }, { status: 200, body: answered }));

  const listOf = async (visitor: Visitor, key: string): Promise<unknown> =>
    JSON.parse((await visitor.storage())[key] ?? 'null') as unknown;
  const untilList = (visitor: Visitor, key: string, isThere: (list: unknown) => boolean): Promise<unknown> =>
    until(async () => {
      const list = await listOf(visitor, key);
      return isThere(list) ? { list } : undefined;
    }, key).then(({ list }) => list);
  const untilIn = (visitor: Visitor, ...codes: readonly (number | string)[]): Promise<unknown> =>
    until(async () => {
      const all = await visitor.ask((permutive) => permutive.segments());
      return codes.every((code) => all.includes(code)) || undefined;
    }, `membership of ${codes.join()}`);
  /** A visitor on the article, whom every service has told its cohorts. */
  const opened = async (path = article, prepare?: (visitor: Visitor) => Promise<unknown>): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await prepare?.(visitor);
    await visitor.open(path);
    await visitor.ready();
    await untilIn(visitor, homeAndGarden, 'northfield-ac', 'room', 'clm-ahou');
    return visitor;
  };
  const asked = async (): Promise<readonly string[]> =>
    (await stage.requests()).map(({ path }) => path).filter((path) => servicePaths.some((part) => path.includes(part)));

  test('are among all cohorts, apart from those of queries, wherever cohorts go, and explained; on the next page too', async () => {
    const visitor = await opened();
    const queried = await visitor.ask((permutive) => permutive.segments(undefined, 'ql'));
    for (const code of [homeAndGarden, 'northfield-ac', 'room', 'clm-ahou']) expect(queried).not.toContain(code);
    expect(await visitor.ask((permutive) => permutive.segments())).not.toContain('harbour');
    expect(await visitor.ask((permutive, code) => permutive.segment(code), homeAndGarden)).toBe(true);
    expect(await visitor.ask((permutive) => permutive.segments(undefined, 'dfp'))).toContain('ahou');

    expect(await listOf(visitor, '_psegs')).toContain(homeAndGarden);
    expect(await listOf(visitor, '_ppam')).toEqual(['northfield']);
    expect(await listOf(visitor, '_pcrprs')).toEqual(['room']);
    expect(await listOf(visitor, '_pclmc')).toContain('clm-ahou');
    await untilList(visitor, '_pssps', (list) => JSON.stringify(list).includes('"ahou"'));
    expect(await listOf(visitor, '_pssps')).toMatchObject({
      ssps: expect.arrayContaining(['openx', 'pubmatic']) as unknown,
    });
    const { permutive: targeting } = await until(async () => {
      const all = await visitor.targeting();
      return all['permutive']?.includes('rts') ? { permutive: all['permutive'] } : undefined;
    }, 'targeting');
    expect(targeting).toEqual(expect.arrayContaining(['ahou', 'northfield', 'room']));
    expect(targeting).not.toContain('harbour');

    // Entries are tracked as those of queries are.
    await stage.untilEntered(homeAndGarden);
    await visitor.track('Later');
    const [later] = await stage.untilArrived('Later');
    expect(later?.segments).toContain(homeAndGarden);
    expect(later?.cohorts).toEqual(expect.arrayContaining(['northfield-ac', 'room', 'clm-ahou']));

    // Each is explained by the service that gave it, or did not.
    const explain = (code: number | string): Promise<string | null> =>
      visitor.ask((permutive, id) => (permutive as unknown as WithExplain).explain(id), code);
    const time = 'As of \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\.$';
    expect(await explain(homeAndGarden)).toMatch(
      new RegExp(`Standard audience: the page's affinity is [\\d.]+, needs 0\\.5\\. ${time}`),
    );
    expect(await explain('northfield-ac')).toMatch(
      new RegExp(`Advertiser segmentation: all of its groups have a count left\\. ${time}`),
    );
    expect(await explain('harbour')).toMatch(
      new RegExp(`Advertiser segmentation: nothing is left of pacing\\. ${time}`),
    );
    expect(await explain('room')).toMatch(new RegExp(`Clean room: all of its groups have a count left\\. ${time}`));
    expect(await explain('clm-ahou')).toMatch(
      new RegExp(`Classification models: they find it on this page\\. ${time}`),
    );

    // All are there at once on the next page, while the services have not answered.
    await Promise.all(['affinity?**', 'adv/**', 'clm/**'].map((path) => visitor.hold(`**/${path}`)));
    await visitor.open('/blank?__permutive.requestTimeout=60000');
    await visitor.ready('initialised');
    const codes = await visitor.ask((permutive) => permutive.segments());
    expect(codes).toEqual(expect.arrayContaining([homeAndGarden, 'northfield-ac', 'room', 'clm-ahou']));
    await visitor.ready();
    await untilSettled(stage, visitor);
    expect(await visitor.ask((permutive) => permutive.segments())).toEqual(
      expect.arrayContaining([homeAndGarden, 'northfield-ac', 'room', 'clm-ahou']),
    );
    // They were entered on the page before.
    const entries = await stage.arrived('SegmentEntry');
    expect(entries.filter(({ properties }) => properties['segment_number'] === homeAndGarden)).toHaveLength(1);
    const exits = await stage.arrived('SegmentExit');
    expect(exits.map(({ properties }) => properties['segment_number'])).not.toContain(homeAndGarden);
  });

  test('are asked for once a view, and what changed is sent once after five seconds', async () => {
    const visitor = await opened(article, ({ page }) => withClock(page));
    const ofKind = async (part: string): Promise<number> =>
      (await asked()).filter((path) => path.includes(part)).length;
    await until(async () => (await ofKind('/amp/cohorts')) > 0 || undefined, 'AMP cohorts');
    await until(async () => {
      await letPass(visitor.page, 1000);
      return (await ofKind('/sync/')) > 0 || undefined;
    }, 'segment sync');
    expect((await asked()).map((path) => servicePaths.find((part) => path.includes(part))).sort()).toEqual(
      [...servicePaths].sort(),
    );
    const [sync] = await stage.requests('/sync/');
    expect(sync?.body).toMatch(/^segments=\d+/);

    await visitor.page.evaluate(() => history.pushState({}, '', '/tech/another'));
    await visitor.ask((permutive) => permutive.addon('web', { page: {} }));
    for (const part of ['/adv/', 'affinity', '/clm/'])
      await until(async () => (await ofKind(part)) === 2 || undefined, `${part} of the second view`);
    await untilSettled(stage, visitor);
    expect([await ofKind('affinity'), await ofKind('/clm/'), await ofKind('-amp.json')]).toEqual([2, 2, 1]);
  });

  test('go when the visitor objects to sharing, except those of the page itself', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      let tell: (isOptOut: boolean) => void = () => undefined;
      const withGpp = Object.assign(window, { object: () => tell(true) });
      Object.assign(withGpp, {
        __gpp: (command: string, callback: (event: object, success: boolean) => void) => {
          if (command !== 'addEventListener') return;
          tell = (isOptOut) =>
            callback(
              {
                eventName: 'signalStatus',
                listenerId: 0,
                data: 'ready',
                pingData: {
                  signalStatus: 'ready',
                  parsedSections: {
                    usnat: [
                      { Version: 1, SaleOptOut: isOptOut ? 1 : 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 },
                    ],
                  },
                },
              },
              true,
            );
          setTimeout(() => tell(false), 50);
        },
      });
    });
    await visitor.open(article);
    await visitor.ready();
    await untilIn(visitor, homeAndGarden, 'northfield-ac', 'room', 'clm-ahou');
    await untilList(visitor, '_pssps', (list) => JSON.stringify(list).includes('"ahou"'));
    const before = (await asked()).filter((path) => path.includes('/adv/')).length;

    await visitor.page.evaluate(() => (window as unknown as { object: () => void }).object());
    await untilList(visitor, '_ppam', (list) => list === null);
    expect(await listOf(visitor, '_pcrprs')).toBeNull();
    expect(await listOf(visitor, '_pssps')).toBeNull();
    const codes = await visitor.ask((permutive) => permutive.segments());
    expect(codes).toEqual(expect.arrayContaining([homeAndGarden, 'clm-ahou']));
    expect(codes).not.toEqual(expect.arrayContaining(['northfield-ac']));
    const { permutive: targeting } = await visitor.targeting();
    expect(targeting).toContain('ahou');
    expect(targeting).not.toEqual(expect.arrayContaining(['northfield']));
    expect(targeting).not.toEqual(expect.arrayContaining(['room']));
    expect((await asked()).filter((path) => path.includes('/adv/'))).toHaveLength(before);
  });

  test('are forgotten with consent, and nobody is asked without it', async () => {
    const visitor = await opened(article, ({ page }) => withClock(page));
    await untilList(visitor, '_pssps', (list) => JSON.stringify(list).includes('"ahou"'));
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(
      async () =>
        !Object.keys(await visitor.storage()).some((key) => /^_p|^permutive-(?!consent)/.test(key)) || undefined,
      'erasure',
    );
    await stage.resetApi();
    // Longer than the services wait before they send.
    await letPass(visitor.page, 60_000);
    await visitor.open(article);
    await untilRefused(visitor);
    // Longer than the services wait before they send.
    await letPass(visitor.page, 60_000);
    expect(await asked()).toEqual([]);
    expect(Object.keys(await visitor.storage()).filter((key) => key.startsWith('_p'))).toEqual([]);
  });

  test('are shown in the site’s inspector with the service that gave them', async () => {
    const visitor = await opened(`${article}?__permutive.inspector=true`);
    const frame = await frameOf(visitor);
    expect(await cohortText(frame, homeAndGarden)).toContain('Standard audience: ');
    expect(await cohortText(frame, 'northfield-ac')).toContain('Advertiser segmentation: ');
    expect(await cohortText(frame, 'room')).toContain('Clean room: ');
    expect(await cohortText(frame, 'clm-ahou')).toContain('Classification models: ');
    const ofQuery = await cohortText(frame, 20116);
    expect(ofQuery).toContain('✓Holds: ');
    expect(ofQuery).not.toMatch(/audience: |segmentation: |room: |models: /);
  });
});
