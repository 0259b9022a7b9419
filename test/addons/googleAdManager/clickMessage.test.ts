import * as fc from 'fast-check';
import { BehaviorSubject, NEVER, of, Subject } from 'rxjs';

import { fakeGoogletag, slotOf } from '../../../marbles/addons/googleAdManager/fakeGoogletag';
import { addonDeps, addonStreams, tagDoor } from '../../../marbles/support/addonWorld';
import { dfpWith } from '../../../src/addons/googleAdManager/dfp';
import { slotClicks } from '../../../src/addons/googleAdManager/slotClicks';
import type { EventDraft } from '../../../src/model/event';
import type { PageMessage } from '../../../src/model/pageSignal';
import { lawOf } from '../../support/laws';

const frames = ['top', 'side'].map((id) => ({ id, window: { frameOf: id } }));
const site = 'https://www.site.example';
const google = 'https://tpc.googlesyndication.com';
const dfp = dfpWith(() => of(slotClicks));
const ids = { creative_id: 4, advertiser_id: 1, order_id: 2, line_item_id: 3 };
const data = { type: 'google_ad_click', ad_unit_path: '/21/top', ...ids };

/** What a page with two slots makes of a message. */
const tracked = (...messages: readonly PageMessage[]): readonly EventDraft[] => {
  const message$ = new Subject<PageMessage>();
  const drafts: EventDraft[] = [];
  const deps = addonDeps({
    adIn: (id) => ({
      windows: frames.filter((frame) => frame.id === id).map(({ window }) => window),
      hasFocus: false,
      holds: () => false,
    }),
  });
  const streams = addonStreams({
    view$: of('view'),
    ...tagDoor(new BehaviorSubject(fakeGoogletag([slotOf('top'), slotOf('side')]))),
    cohorts$: NEVER,
    message$,
  });
  const running = dfp
    .run(streams, new BehaviorSubject(dfp.options({}, () => undefined)), deps)
    .subscribe((draft) => drafts.push(draft));
  for (const message of messages) message$.next(message);
  running.unsubscribe();
  return drafts;
};

const id = fc.oneof(fc.nat(), fc.nat().map(String), fc.constant(null));
const genuine = fc.record({
  data: fc.record(
    {
      type: fc.constant('google_ad_click'),
      ad_unit_path: fc.string({ maxLength: 500 }),
      creative_id: id,
      advertiser_id: id,
      order_id: id,
      line_item_id: id,
    },
    { requiredKeys: ['type', 'ad_unit_path'] },
  ),
  // A SafeFrame has a random origin, a sandboxed frame none.
  origin: fc.oneof(
    fc.constantFrom(site, google, 'null', 'https://0a1b2c.safeframe.googlesyndication.com'),
    fc.webUrl().map((url) => new URL(url).origin),
  ),
  source: fc.constantFrom(...frames.map(({ window }) => window)),
});

const badId = fc.oneof(
  fc.constantFrom(-1, 1.5, NaN, Infinity, 2 ** 60, true, '', ' 1', '1e3', '12345678901234567', '0x1', [], [1], {}),
  fc.string().filter((text) => !/^\d{1,16}$/.test(text)),
);
const badSource = fc.oneof(fc.constantFrom(null, undefined, {}, { frameOf: 'top' }, [], 'top'), fc.object());
const noClick = fc
  .oneof(
    fc.anything(),
    fc.constantFrom(
      null,
      undefined,
      'google_ad_click',
      { type: 'google_ad_click ' },
      [data],
      Object.create(data) as object,
      JSON.parse(`{"__proto__": ${JSON.stringify(data)}}`) as object,
      { ...data, type: ['google_ad_click'] },
    ),
  )
  .filter(
    (value) =>
      typeof value !== 'object' ||
      value === null ||
      !Object.hasOwn(value, 'type') ||
      (value as { type: unknown }).type !== 'google_ad_click',
  );
const badData = fc.oneof(
  noClick,
  fc
    .tuple(fc.constantFrom('creative_id', 'advertiser_id', 'order_id', 'line_item_id'), badId)
    .map(([name, value]) => ({ ...data, [name]: value })),
  fc
    .oneof(fc.constantFrom(undefined, null, 7, ['/21/top'], {}), fc.string({ minLength: 501, maxLength: 600 }))
    .map((ad_unit_path) => ({ ...data, ad_unit_path })),
);
/** Right in all but one thing, or in none. */
const hostile = fc.oneof(
  genuine.chain((message) => badSource.map((source) => ({ ...message, source }))),
  genuine.chain((message) => badData.map((wrong) => ({ ...message, data: wrong }))),
  fc.record({ data: fc.anything(), origin: fc.webUrl(), source: badSource }),
);

describe('google_ad_click messages', () => {
  it(
    'are not believed from strangers: of messages of all kinds, none is a click',
    lawOf(200)(fc.array(hostile, { maxLength: 100, size: 'max' }), (messages) =>
      expect(tracked(...messages)).toEqual([]),
    ),
  );

  it(
    'are all taken from the frames of slots',
    lawOf(1000)(
      genuine,
      (message) =>
        tracked(message)
          .map(({ name }) => name)
          .join() === 'SlotClicked',
    ),
  );

  it('name the ad and the slot it was in, and count once when repeated', () => {
    const click = { data: { ...data, creative_id: '77' }, origin: google, source: frames[1]?.window };
    expect(tracked(click, click, { ...click, source: frames[0]?.window })).toMatchObject([
      {
        name: 'SlotClicked',
        properties: {
          advertiser_id: 1,
          campaign_id: 2,
          line_item_id: 3,
          creative_id: 77,
          slot: { slot_element_id: 'side', ad_unit_path: '/21/side' },
        },
      },
      { properties: { slot: { slot_element_id: 'top' } } },
    ]);
  });

  it('survive a page that has polluted its objects', () => {
    const prototype = Object.prototype as { type?: string };
    prototype.type = 'google_ad_click';
    try {
      expect(tracked({ data: { ad_unit_path: '/21/top', ...ids }, origin: site, source: frames[0]?.window })).toEqual(
        [],
      );
    } finally {
      delete prototype.type;
    }
  });
});
