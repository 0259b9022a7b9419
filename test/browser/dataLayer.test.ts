import { readFileSync } from 'node:fs';

import { changeBundle } from './support/changedBundle';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/** Google's own reader of data layers, which is the part of its tag manager that is public. */
const googleReader = readFileSync(require.resolve('data-layer-helper/dist/data-layer-helper.js'), 'utf8');
/** Adobe's data layer, as pages load it. */
const adobeDataLayer = readFileSync(
  require.resolve('@adobe/adobe-client-data-layer/dist/adobe-client-data-layer.min.js'),
  'utf8',
);

/** What a tag manager has seen: each message's event, and what its variables had then. */
type Seen = readonly [event: unknown, cohorts: unknown, cohort: unknown];

interface Reader {
  readonly get: (key: string) => unknown;
}
interface WithReader {
  readonly dataLayer: object[];
  readonly DataLayerHelper: new (
    layer: object[],
    listener: (model: Record<string, unknown>, message: { readonly event?: string }) => void,
    listenToPast: boolean,
  ) => Reader;
  seen: Seen[];
  reader: Reader;
}

interface WithAdobe {
  readonly adobeDataLayer: { readonly getState: (path: string) => unknown };
}

describe('The data layer', () => {
  const stage = stageForTests();

  /** The bundle with an activation of the data layer for the cohort of everybody. */
  const prepared = (visitor: Visitor) =>
    changeBundle(visitor.page, {
      deferred: (text) => text.replace(/short_id:"00d101",sc:\d+/, 'short_id:"00d101",sc:20401'),
    });

  const start = (visitor: Visitor, options: object = {}): Promise<void> =>
    visitor.ask((permutive, given) => permutive.addon('data_layer', given), options);

  /** Tag managers announce themselves in the head, and load when the page has time for them. */
  const announced = (visitor: Visitor): Promise<unknown> =>
    visitor.page.addInitScript(() => {
      Object.assign(window, { dataLayer: [{ event: 'gtm.js', 'gtm.start': Date.now() }] });
    });

  const loadReader = async (visitor: Visitor): Promise<void> => {
    await visitor.page.evaluate(googleReader);
    await visitor.page.evaluate(() => {
      const page = window as unknown as WithReader;
      page.seen = [];
      page.reader = new page.DataLayerHelper(
        page.dataLayer,
        ({ permutive_cohorts, permutive_cohort }, { event }) =>
          page.seen.push([event, permutive_cohorts, permutive_cohort]),
        true,
      );
    });
  };

  const seen = (visitor: Visitor): Promise<readonly Seen[]> =>
    visitor.page.evaluate(() => (window as unknown as WithReader).seen);

  const untilSeen = (visitor: Visitor, event: string): Promise<unknown> =>
    until(
      async () => (await seen(visitor)).some(([name]) => name === event) || undefined,
      `the event ${event} of the data layer`,
    );

  const pushed = (visitor: Visitor): Promise<readonly object[]> =>
    visitor.page.evaluate(() => (window as unknown as WithReader).dataLayer);

  test('tells a tag manager of Google’s the list and each entry, over pages, and takes the list back', async () => {
    const visitor = await stage.visitor();
    await prepared(visitor);
    await announced(visitor);
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await start(visitor);
    await until(async () => (await pushed(visitor)).length > 2 || undefined, 'the messages');
    // The tag manager comes after the messages, and reads them in their order.
    await loadReader(visitor);
    expect(await seen(visitor)).toEqual([
      ['gtm.js', undefined, undefined],
      ['permutive_cohorts', ',money,', undefined],
      ['permutive_cohort_entry', ',money,', 'money'],
    ]);
    await stage.untilArrived('Reaction');

    // Another page, on which the tag manager comes before the messages. An entry is told once.
    await visitor.open('/blank');
    await loadReader(visitor);
    await visitor.ready('realtime');
    await start(visitor);
    await untilSeen(visitor, 'permutive_cohorts');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(
      async () => ((await seen(visitor)).at(-1)?.[1] === '' ? true : undefined),
      'the list without the cohorts',
    );
    expect(await seen(visitor)).toEqual([
      ['gtm.js', undefined, undefined],
      ['permutive_cohorts', ',money,', undefined],
      // No trigger fires for it.
      [undefined, '', undefined],
    ]);
  });

  test('tells the data layer that the page names: Adobe’s', async () => {
    const visitor = await stage.visitor();
    await prepared(visitor);
    await visitor.page.addInitScript(adobeDataLayer);
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await start(visitor, { data_layer_name: 'adobeDataLayer' });
    const state = await until(
      () => visitor.page.evaluate(() => (window as unknown as WithAdobe).adobeDataLayer.getState('permutive_cohorts')),
      'the state of the data layer',
    );
    expect(state).toBe(',money,');
  });

  test('is found where it comes later than the SDK', async () => {
    const visitor = await stage.visitor();
    await prepared(visitor);
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await start(visitor);
    await visitor.page.evaluate(() => Object.assign(window, { dataLayer: [] }));
    await loadReader(visitor);
    await untilSeen(visitor, 'permutive_cohort_entry');
    expect(await visitor.warnings()).toEqual([]);
  });
});
