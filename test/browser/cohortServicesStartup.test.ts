import { buttonOf, frameOf, openTab, untilText } from './support/inspector';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilRefused } from './support/untilRefused';
import { failedRequests, type Visitor } from './support/visitor';

const page = '/blank';

/** What Google's tag has kept of our signal. */
const keptByGoogle = async (visitor: Visitor): Promise<string | undefined> =>
  (await visitor.storage())['_GESPSK-permutive.com'];
const startSignal = (visitor: Visitor): Promise<void> => visitor.ask((permutive) => permutive.addon('secure_signal'));
const startupOf = async (visitor: Visitor) => {
  // The snippet has no stub of the method.
  await visitor.ready('initialised');
  return visitor.ask((permutive) => permutive.startup());
};

describe('The secure signal', () => {
  const stage = stageForTests();
  const asked = () => stage.requests('/v1/signal');

  test('is asked for once a page starts it, given to Google, and kept for the next page', async () => {
    const visitor = await stage.visitor();
    await visitor.open(page);
    await visitor.ready();
    expect(await asked()).toEqual([]);
    await startSignal(visitor);
    const kept = await until(() => keptByGoogle(visitor), 'the signal at Google');
    const [request] = await asked();
    const { user_id, cohorts } = JSON.parse(request?.body ?? '{}') as { user_id: string; cohorts: string[] };
    expect(user_id).toBe(await visitor.ask((permutive) => permutive.user()));
    expect(cohorts.map(Number)).toEqual(expect.arrayContaining([20401]));

    await visitor.open(page);
    await startSignal(visitor);
    expect(await startupOf(visitor)).toMatchObject({
      secureSignal: (JSON.parse(kept) as string[])[1],
      realtime: true,
      externalData: { thirdParty: expect.any(Object) as unknown, secondParty: expect.any(Object) as unknown },
    });
    expect(await asked()).toHaveLength(1);
  });

  test('is null where its server fails, and the page goes on', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await stage.fault({ path: '/v1/signal' }, { status: 503 });
    await visitor.open(page);
    await startSignal(visitor);
    expect(await startupOf(visitor)).toMatchObject({ secureSignal: null, realtime: true });
    expect(await keptByGoogle(visitor)).toBeUndefined();
    await stage.clearFaults();
  });

  test('is forgotten with consent, and not asked for without it', async () => {
    const visitor = await stage.visitor();
    await visitor.open(page);
    await visitor.ready();
    await startSignal(visitor);
    await until(() => keptByGoogle(visitor), 'the signal at Google');
    expect((await visitor.storage())['permutive-data-misc']).toContain('secureSignal');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(
      async () => ('permutive-data-misc' in (await visitor.storage()) ? undefined : true),
      'the erasure of the signal',
    );
    await visitor.open(page);
    await startSignal(visitor);
    await untilRefused(visitor);
    expect(await asked()).toHaveLength(1);
    expect(Object.keys(await visitor.storage())).not.toContain('permutive-data-misc');
  });
});

describe('permutive.startup', () => {
  const stage = stageForTests();

  test('tells what start-up has found, a late call the same, and null once consent has gone; explain too', async () => {
    const visitor = await stage.visitor();
    await visitor.open(page);
    await visitor.ready();
    const record = await startupOf(visitor);
    expect(Object.keys(record ?? {}).sort()).toEqual([
      'activations',
      'cohorts',
      'context',
      'eventsToPublish',
      'eventsToPublishOnPageUnload',
      'externalData',
      'geoIP',
      'realtime',
      'secureSignal',
      'stateMigratedThisInitialisation',
      'transitionsSinceInit',
    ]);
    const userId = await visitor.ask((permutive) => permutive.user());
    expect(record).toMatchObject({
      context: { user_id: userId },
      realtime: true,
      secureSignal: null,
      stateMigratedThisInitialisation: false,
    });
    const { cohorts, transitionsSinceInit, eventsToPublish } = record as {
      cohorts: number[];
      transitionsSinceInit: { id: string; entry: boolean }[];
      eventsToPublish: { name: string; properties: { segment_number: number } }[];
    };
    expect(cohorts).toContain(20401);
    expect(transitionsSinceInit).toContainEqual(expect.objectContaining({ id: '20401', entry: true }));
    expect(eventsToPublish.map(({ properties }) => properties.segment_number)).toContain(20401);
    expect(await startupOf(visitor)).toEqual(record);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(await visitor.ask((permutive) => permutive.startup())).toBeNull();
    expect(await visitor.ask((permutive) => permutive.explain(20401))).toBeNull();
  });

  test('is shown in the site’s inspector, with the secure signal', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/film?consent=required');
    await visitor.page.click(buttonOf);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Visitor');
    await untilText(frame, 'The SDK is not running.');
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 'CONSENT_CAPTURED' }));
    const record = await startupOf(visitor);
    expect(record?.['secureSignal']).toMatch(/./);
    const words = await untilText(frame, `Secure signal${String(record?.['secureSignal'])}`);
    expect(words).toContain(`Cohorts${(record?.['cohorts'] as unknown[]).length} cohorts, of this page`);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await untilText(frame, 'The SDK is not running.');
  });

  test('ends also where cohort services hang', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await stage.fault({ path: '/standard-audiences' }, { hang: true });
    await visitor.open('/blank?__permutive.requestTimeout=3000');
    await visitor.ready();
    expect(await startupOf(visitor)).toMatchObject({ realtime: true });
    await stage.clearFaults();
  });
});

describe('Publisher provided signals', () => {
  const stage = stageForTests();
  const signalsOf = (visitor: Visitor): Promise<unknown> =>
    visitor.page.evaluate(() => (window as unknown as { googletag: { pps?: unknown } }).googletag.pps);

  test('say what the cohorts mean, and go with consent', async () => {
    const visitor = await stage.visitor();
    await visitor.open(page);
    const signals = await until(() => signalsOf(visitor), 'the signals');
    expect(signals).toEqual({ taxonomies: { IAB_AUDIENCE_1_1: { values: ['268'] } } });
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(await until(async () => (await signalsOf(visitor)) === null || undefined, 'no signals')).toBe(true);
  });
});
