import { project } from '../../demo/project/project';
import { partFile } from './support/bundleFile';
import { countedViews } from './support/countedViews';
import { untilMember } from './support/membership';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilRefused } from './support/untilRefused';
import { uuid, type Visitor } from './support/visitor';

/** Addresses that the publisher gives two views of one document. What services say of them does not change. */
const savings = 'https://ledgerpost.example/personal-finance/savings';
const phones = 'https://ledgerpost.example/tech/phones';
/** No query finds it, but the affinity of an address: phones and tablets. */
const ofPhones = 10_000_021;
const affinities = { [savings]: [10_000_001, 10_000_010], [phones]: [10_000_018, ofPhones] };
/** «Any newsletter since yesterday». */
const newsletterReader = 20_305;
/** «Newsletter visit in this session, nothing bought»: its query reads the provider of the network. */
const newsletterVisit = 20_309;
const isText = expect.any(String) as unknown;

describe('Place and content', () => {
  const stage = stageForTests();

  const askedFor = async (path: string): Promise<number> => (await stage.requests(path)).length;
  const openKnown = async (visitor: Visitor, path: string): Promise<void> => {
    await visitor.open(path);
    await visitor.ready();
    await until(
      () => visitor.ask(({ context: { geoip, watson } }) => (geoip && watson ? true : undefined)),
      'place and content',
    );
  };

  test('are asked for by a page that uses neither, for the fields that queries read; the others are in the next Pageviews', async () => {
    // A browser that has just begun takes longer than the second for which the first Pageview waits.
    const warming = await stage.visitor();
    await openKnown(warming, '/blank');
    await warming.ready('realtime');
    expect(await stage.endVisits()).toEqual([]);
    const { visitor, first } = await until(async () => {
      const comer = await stage.visitor();
      await openKnown(comer, '/blank');
      const [pageview] = await stage.untilArrived('Pageview');
      if (!JSON.stringify(pageview?.properties).includes('"$')) return { visitor: comer, first: pageview };
      expect(await stage.endVisits()).toEqual([]);
      return undefined;
    }, 'a first Pageview with its fields');
    expect(await visitor.ask(({ context: { geoip } }) => geoip)).toMatchObject({ country: isText, isp: isText });
    expect([await askedFor('/geoip'), await askedFor('/watson')]).toEqual([1, 1]);

    await openKnown(visitor, '/blank');
    const [, second] = await stage.untilArrived('Pageview', 2);
    // Queries of the project read the provider of the network and the content, and not the place.
    expect(first?.properties).toMatchObject({
      isp_info: { isp: isText },
      classifications: { taxonomy_labels: expect.any(Array) as unknown },
    });
    expect(first?.properties).not.toHaveProperty('geo_info');
    expect(second?.properties).toMatchObject({
      geo_info: { country: isText },
      isp_info: { isp: isText },
      classifications: { categories: expect.any(Array) as unknown, taxonomy_labels: expect.any(Array) as unknown },
    });
    expect(second?.session_id).toBe(first?.session_id);
    // The place belongs to the session, the content to the view.
    expect([await askedFor('/geoip'), await askedFor('/watson')]).toEqual([1, 2]);
    expect(JSON.stringify(await visitor.storage())).not.toContain('ip_address');
  });

  test('that hang hold the first Pageview for no longer than a second, and leave its fields to the server', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold('**/geoip*');
    await visitor.open('/blank');
    await visitor.ready();
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.properties).toMatchObject({ isp_info: '$ip_isp_info' });
    const batch = await until(
      () => Promise.resolve(visitor.batches.find(({ events }) => events.some(({ id }) => id === pageview?.id))),
      'the batch of the Pageview',
    );
    expect(new URL(batch.url).searchParams.get('enrich')).toBe('true');
    release();
  });

  test('that come after the first Pageview was sent count for queries that read them, once', async () => {
    const visitor = await stage.visitor();
    const releaseCode = await visitor.hold(partFile('deferred'));
    const releasePlace = await visitor.hold('**/geoip*');
    // Longer than any wait here, so that a slow machine does not end the wait for the place.
    await visitor.open('/blank?utm_medium=email&__permutive.requestTimeout=30000', 'domcontentloaded');
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.properties).toMatchObject({ isp_info: '$ip_isp_info' });
    // Other queries have not waited.
    await untilMember(visitor, newsletterReader);
    expect(await visitor.ask((permutive, code) => permutive.segment(code), newsletterVisit)).toBe(false);
    releaseCode();
    await until(
      () => Promise.resolve(visitor.asked.find((url) => url.includes('/geoip'))),
      'the request for the place',
    );
    expect(await visitor.ask((permutive, code) => permutive.segment(code), newsletterVisit)).toBe(false);
    releasePlace();
    await untilMember(visitor, newsletterVisit);
    expect(await countedViews(visitor)).toBe(1);
    expect(await stage.untilArrived('Pageview')).toHaveLength(1);
  });

  test('that never come leave the events to the server, and are asked for by the next view', async () => {
    const visitor = await stage.visitor({ expected: /Failed to load resource/ });
    await stage.fault({ path: '/v2.0/geoip' }, { status: 503 }, 1);
    await visitor.open('/personal-finance/gig-works-missing-payslip?permutive_debug=true');
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.properties).toMatchObject({ geo_info: '$ip_geo_info' });
    const batch = await until(
      () => Promise.resolve(visitor.batches.find(({ events }) => events.some(({ id }) => id === pageview?.id))),
      'the batch of the Pageview',
    );
    expect(new URL(batch.url).searchParams.get('enrich')).toBe('true');
    await visitor.untilWarned('Error fetching geoip');
    await visitor.ready();
    await visitor.ask((permutive, url) => permutive.addon('web', { context: { url } }), phones);
    await until(
      () => visitor.ask(({ context: { geoip } }) => (Object.keys(geoip ?? {}).length > 0 ? true : undefined)),
      'the place',
    );
  });

  test('are gone with consent, and not asked for without it', async () => {
    const visitor = await stage.visitor();
    await openKnown(visitor, '/blank');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await untilRefused(visitor);
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
    await stage.resetApi();
    await visitor.open('/blank');
    await untilRefused(visitor);
    expect([await askedFor('/geoip'), await askedFor('/watson'), await askedFor('/ctx')]).toEqual([0, 0, 0]);
  });
});

describe('A second view', () => {
  const stage = stageForTests();

  /** Everything that belongs to a view or an address. */
  const partsOf = async (visitor: Visitor) => {
    const targeting = await visitor.targeting();
    const asked = await visitor.ask(async (permutive) => {
      const { view_id, client, watson, contextual } = permutive.context;
      const standard = await permutive.segments(undefined, 'standard');
      const queried = await permutive.segments(undefined, 'qlStandard');
      return {
        viewId: view_id,
        url: client?.['url'],
        labels: (watson as { taxonomy?: { label: string }[] } | undefined)?.taxonomy?.map(({ label }) => label),
        contextual: contextual?.cohorts,
        ofPage: await permutive.segments(undefined, 'contextual'),
        affinity: standard.filter((code) => !queried.includes(code)),
        all: await permutive.segments(),
        ql: await permutive.segments(undefined, 'ql'),
        isTechnology: await permutive.segment(20734),
      };
    });
    return { ...asked, prmtvvid: targeting['prmtvvid'], prmtvctx: targeting['prmtvctx'] };
  };
  type Parts = Awaited<ReturnType<typeof partsOf>>;
  const untilParts = (visitor: Visitor, what: string, areThere: (parts: Parts) => unknown): Promise<Parts> =>
    until(async () => {
      const parts = await partsOf(visitor);
      return areThere(parts) ? parts : undefined;
    }, what);
  const isComplete = ({ viewId, labels, contextual, affinity, prmtvctx = [], prmtvvid = [] }: Parts): boolean =>
    labels !== undefined &&
    contextual !== undefined &&
    affinity.length > 0 &&
    prmtvctx.length > 1 &&
    prmtvvid[0] === viewId;
  const view = (visitor: Visitor, url: string) =>
    visitor.ask(
      (permutive, address) => permutive.addon('web', { page: { about: address }, context: { url: address } }),
      url,
    );
  const codesOf = (url: keyof typeof affinities) =>
    affinities[url].map((id) => (project.cohortCodes as Record<string, string>)[id]);

  test('has everything of its own that belongs to a view or an address', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await view(visitor, savings);
    const first = await untilParts(visitor, 'the first view', (parts) => isComplete(parts) && parts.url === savings);
    expect(first).toMatchObject({
      viewId: expect.stringMatching(uuid) as unknown,
      labels: expect.arrayContaining(['/finance/bank/savings']) as unknown,
      contextual: expect.arrayContaining(['psav']) as unknown,
      ofPage: first.contextual,
      isTechnology: false,
      prmtvvid: [first.viewId],
      prmtvctx: [...codesOf(savings), 'rts'],
    });
    expect(await visitor.ask((permutive) => permutive.segments())).not.toContain(ofPhones);
    // What a service finds on the page is among all cohorts, and not among those of queries.
    expect(first.all).toEqual(expect.arrayContaining([...(first.contextual ?? [])]));
    expect(first.all).toContain('bfin');
    expect(first.ql).not.toContain('bfin');
    expect(await visitor.ask((permutive) => permutive.explain('bfin'))).toContain('Contextual: the service finds it');

    await view(visitor, phones);
    // At once: nothing describes the page that was left.
    const between = await partsOf(visitor);
    expect(between.viewId).not.toBe(first.viewId);
    expect(between.url).toBe(phones);
    for (const { labels, contextual, prmtvctx } of [between]) {
      expect(labels ?? []).not.toContain('/finance/bank/savings');
      expect([...(contextual ?? []), ...(prmtvctx ?? [])]).not.toContain('psav');
      // `rts` would say that the page is described, and as a page of no kind.
      expect(prmtvctx).not.toEqual(['rts']);
    }

    const second = await untilParts(
      visitor,
      'the second view',
      (parts) =>
        isComplete(parts) && parts.isTechnology && parts.affinity.includes(ofPhones) && !parts.all.includes('bfin'),
    );
    expect(second).toMatchObject({
      viewId: between.viewId,
      url: phones,
      labels: expect.arrayContaining(['/technology and computing']) as unknown,
      ofPage: second.contextual,
      isTechnology: true,
      prmtvvid: [between.viewId],
    });
    expect(second.contextual).not.toContain('psav');
    expect(second.all).toContain('tcmp');
    expect(second.all).not.toContain('bfin');
    expect(second.prmtvctx).toEqual([...(second.contextual ?? []), 'rts']);
    expect(second.affinity).not.toContain(10_000_010);
    expect(await visitor.ask((permutive) => permutive.explain(10_000_021))).toContain('Standard audience');

    // What the Pageview of a view carries is of its own address, and so is what the services were asked.
    await view(visitor, savings);
    const [, , , again] = await stage.untilArrived('Pageview', 4);
    expect(again?.properties).toMatchObject({
      about: savings,
      classifications: { taxonomy_labels: expect.arrayContaining(['/finance/bank/savings']) as unknown },
    });
    const urls = async (path: string) =>
      (await stage.requests(path)).map(({ query }) => new URLSearchParams(query).get('url'));
    expect((await urls('/ctx/v1/state')).filter((url) => !url?.endsWith('/blank'))).toEqual([savings, phones, savings]);
    expect((await urls('/affinity')).filter((url) => !url?.endsWith('/blank'))).toEqual([savings, phones, savings]);
  });

  test('takes the page’s own answer for its view only', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await view(visitor, savings);
    await visitor.ask((permutive) =>
      permutive.addon('contextual', { activations: { dfp_contextual: ['own'] }, cohorts: ['own'] }),
    );
    const handed = await untilParts(visitor, 'the answer', ({ prmtvctx }) => prmtvctx?.includes('own'));
    expect(handed.ofPage).toEqual(['own']);
    await view(visitor, phones);
    const second = await untilParts(visitor, 'the second view', ({ prmtvctx }) => prmtvctx?.includes('tcmp'));
    expect(second.prmtvctx).not.toContain('own');
    expect(second.ofPage).not.toContain('own');
  });

  test('of the same address goes on with the view, and a return does too', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await view(visitor, savings);
    const { viewId } = await partsOf(visitor);
    await view(visitor, savings);
    expect((await partsOf(visitor)).viewId).toBe(viewId);
    // A Pageview that still waits for its content would end with the visit.
    await stage.untilArrived('Pageview', 2);
    await visitor.page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    // The very same call has made no Pageview of its own.
    await stage.untilArrived('Pageview', 3);
    const views = (await stage.arrived('Pageview')).map(({ view_id }) => view_id);
    expect(views.slice(1)).toEqual([viewId, viewId]);
  });
});
