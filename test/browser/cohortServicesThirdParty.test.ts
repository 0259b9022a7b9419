import type { Frame } from 'playwright-core';

import { partFile } from './support/bundleFile';
import { buttonOf, cohortText, frameOf } from './support/inspector';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilRefused } from './support/untilRefused';
import { untilSettled } from './support/untilSettled';
import { failedRequests, type Tab, uuidV4, type Visitor, type VisitorOptions } from './support/visitor';

const matching = '**/audience-matching/**';
const legacy = '**/v2.0/tpd?*';
const chunkKey = 'permutive-data-tpd';
/** Cohorts of the sample project: a segment of northlight, a segment of a second party, and two page views. */
const [savers, conference, twoViews] = [20721, 20724, 20403];
const debug = '/blank?permutive_debug=true';

const member = (tab: Tab, code: number): Promise<boolean> =>
  tab.ask((permutive, cohort) => permutive.segment(cohort), code);
const untilMember = (tab: Tab, code: number, isIt = true): Promise<unknown> =>
  until(
    async () => ((await member(tab, code)) === isIt ? true : undefined),
    `${isIt ? '' : 'no '}membership of ${code}`,
  );

describe('Third-party data', () => {
  const stage = stageForTests();

  /** The services answer with these segments of northlight, or a status. */
  const answering = async (visitor: Visitor, pattern: string, answer: readonly string[] | number): Promise<void> => {
    await visitor.context.unroute(pattern);
    await visitor.context.route(pattern, (route) =>
      route.fulfill({
        status: typeof answer === 'number' ? answer : 200,
        headers: { 'access-control-allow-origin': '*' },
        json: { items: typeof answer === 'number' ? [] : [{ provider: 'northlight', segments: answer }] },
      }),
    );
  };
  const arrive = async (
    answer: readonly string[] | number,
    options?: VisitorOptions,
  ): Promise<Visitor & { readonly asked: readonly string[] }> => {
    const visitor = await stage.visitor(options);
    const asked: string[] = [];
    visitor.context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/audience-matching|\/tpd/.test(pathname)) asked.push(pathname);
    });
    await answering(visitor, matching, answer);
    await visitor.open('/blank');
    await visitor.ready();
    return { ...visitor, asked };
  };

  const exits = async (): Promise<readonly unknown[]> =>
    (await stage.arrived('SegmentExit')).filter(({ properties }) => properties['segment_number'] === savers);

  test('makes cohorts, is tracked for each provider, and is reported as used, once for several pages', async () => {
    const visitor = await arrive(['48213', '1']);
    await untilMember(visitor, savers);
    const [event] = await stage.untilArrived('ThirdPartySegments');
    expect(event?.properties).toMatchObject({ data_provider: 'northlight', segments: ['48213', '1'] });
    expect((await visitor.heard('UpdateThirdPartyData')).length).toBe(1);
    await stage.untilEntered(savers);

    const [usage] = await until(async () => {
      const sent = await stage.requests('/tpd/usage');
      return sent.length > 0 ? sent : undefined;
    }, 'a report of usage');
    const { user_id, time, tpd_segments } = JSON.parse(usage?.body ?? '') as Readonly<Record<string, unknown>>;
    expect([user_id, tpd_segments]).toEqual([event?.user_id, { northlight: ['48213'] }]);
    expect(user_id).toMatch(uuidV4);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

    await visitor.open('/blank');
    await visitor.ready();
    await untilMember(visitor, twoViews);
    await untilSettled(stage, visitor);
    expect(await member(visitor, savers)).toBe(true);
    expect(await exits()).toEqual([]);
    expect(visitor.asked).toEqual([`/audience-matching/v1/id/${String(user_id)}`, '/v2.0/tpd/usage']);
    expect(await visitor.warnings()).toEqual([]);
  });

  test('that is late holds its cohorts as they were, and decides them when it comes', async () => {
    const visitor = await arrive(['48213']);
    await untilMember(visitor, savers);
    await stage.untilEntered(savers);

    await answering(visitor, matching, []);
    const release = await visitor.hold(matching);
    await visitor.ask((permutive) => permutive.identify([{ tag: 'crm', id: 'reader-1' }]));
    await visitor.open('/blank');
    await visitor.ready();
    await untilMember(visitor, twoViews);
    expect(await member(visitor, savers)).toBe(true);
    expect(await exits()).toEqual([]);
    release();
    await visitor.open('/blank');
    await untilMember(visitor, savers, false);
  });

  test('is named in the site’s inspector as the source of its cohorts, on the next page too', async () => {
    const visitor = await arrive(['48213']);
    const named = '✓ 1 of the listed segments of northlight';
    const untilNamed = async (): Promise<Frame> => {
      await visitor.ready('initialised');
      await until(
        async () => (await visitor.ask(({ explain }, code) => explain(code), savers))?.includes(named) || undefined,
        'the data of northlight',
      );
      const frame = await frameOf(visitor);
      expect(await cohortText(frame, savers)).toMatch(
        /Holds: the listed segments of northlight\s*has 1, needs at least 1/,
      );
      return frame;
    };
    await visitor.open('/film');
    await visitor.page.click(buttonOf);
    await untilNamed();
    await stage.untilEntered(savers);
    await visitor.open('/film');
    const frame = await untilNamed();
    expect(await visitor.heard('ThirdPartySegments')).toEqual([]);
    expect(await cohortText(frame, 20401)).not.toContain('northlight');
  });

  test('comes from the legacy endpoint where audience matching fails', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await answering(visitor, matching, 500);
    await answering(visitor, legacy, ['50007']);
    await visitor.open(debug);
    await untilMember(visitor, savers);
    await visitor.untilWarned('Error fetching TPD');
  });

  test('that nobody has is empty with a warning, and is not asked for again on the next page', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    const asked: string[] = [];
    visitor.context.on('request', (request) => {
      if (/audience-matching|\/tpd\?/.test(request.url())) asked.push(request.url());
    });
    await answering(visitor, matching, 503);
    await answering(visitor, legacy, 404);
    await visitor.open(debug);
    await visitor.untilWarned('Third-party data is empty');
    expect(asked).toHaveLength(2);
    (await visitor.warnings()).length = 0;
    await visitor.open(debug);
    await visitor.untilWarned('Blocked by persistent backoff');
    await visitor.untilWarned('Third-party data is empty');
    expect(asked).toHaveLength(2);
    await visitor.ready();
    expect(await member(visitor, savers)).toBe(false);
  });

  test('is empty where the code that asks for it cannot be loaded, and that is reported', async () => {
    const visitor = await arrive(['48213'], { expected: failedRequests });
    await untilMember(visitor, savers);
    await stage.untilEntered(savers);
    await visitor.context.route(partFile('deferred'), (route) => route.abort());
    await visitor.open(debug);
    await visitor.untilWarned('Failed to load addons');
    await untilMember(visitor, savers, false);
  });

  test('is neither asked for nor kept without consent', async () => {
    const visitor = await arrive(['48213']);
    await untilMember(visitor, savers);
    expect(Object.keys(await visitor.storage())).toContain(chunkKey);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(
      async () => (Object.keys(await visitor.storage()).includes(chunkKey) ? undefined : true),
      'the erasure of third-party data',
    );
    const before = visitor.asked.length;
    await visitor.open('/blank');
    await untilRefused(visitor);
    expect(visitor.asked).toHaveLength(before);
    expect(Object.keys(await visitor.storage())).not.toContain(chunkKey);
  });
});

describe('Second-party data', () => {
  const stage = stageForTests();

  test('of the settings makes cohorts at once, and its end ends them', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const given = { ledger_events: ['spring-forum'] };
      document.addEventListener('readystatechange', () => {
        const { permutive } = window as unknown as { permutive?: { config: Record<string, unknown> } };
        if (permutive && !location.search.includes('nothing')) permutive.config['secondParty'] = given;
      });
    });
    await visitor.open('/blank');
    await untilMember(visitor, conference);
    await stage.untilEntered(conference);
    expect(await visitor.heard('UpdateSecondPartyData')).toHaveLength(1);
    await visitor.open('/blank?nothing');
    await untilMember(visitor, conference, false);
    expect(await visitor.heard('UpdateSecondPartyData')).toHaveLength(1);
  });

  test('that the page hands over makes cohorts, and what is none is reported', async () => {
    const visitor = await stage.visitor();
    await visitor.open(debug);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('second_party', { ledger_events: 'spring-forum' }));
    await visitor.untilWarned('Invalid second-party data');
    expect(await member(visitor, conference)).toBe(false);
    await visitor.ask((permutive) => permutive.addon('second_party', { ledger_events: ['autumn-forum', 7] }));
    await untilMember(visitor, conference);
  });
});
