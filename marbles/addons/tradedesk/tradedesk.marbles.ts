import { of } from 'rxjs';

import { tradedesk } from '../../../src/addons/tradedesk/tradedesk';
import { addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { browserWith, tcfs } from '../../support/partnerWorld';

const note = 'addon:tradedesk';
const started = 1_767_268_800_000;
const match = 'https://match.adsrvr.org/track/cmf/generic?ttd_pid=ledger&ttd_tpi=1&ttd_puid=visitor';
const options = { o: tradedesk.options({ pid: 'ledger' }, () => undefined) };

/** A browser whose clock runs with the scheduler's. */
const browserAt = (now: () => number, stored: Readonly<Record<string, unknown>> = {}) =>
  browserWith({ now: () => started + now() }, stored);

describe('tradedesk', () => {
  marble('matches once the vendor has consent, and keeps the time', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked, notes } = browserWith({});
    const tcf$ = hot('--n--y--y', tcfs);
    expectObservable(tradedesk.run(addonStreams({ tcf$, view$: cold('v') }), hot('o', options), deps)).toBe('-');
    flush();
    expect(asked()).toEqual([`${match}&gdpr=1&gdpr_consent=C%26S`]);
    expect(notes.get(note)).toBe(started);
  });

  marble('matches again on the next page where the match has failed', ({ hot, cold, flush }) => {
    const { deps, asked, notes } = browserWith({});
    deps.loadPixel.mockReturnValueOnce(of(false));
    const pageExit$ = hot('----b', { b: { step: 'beforeFlush', isUnloading: true } } as const);
    const streams = addonStreams({ tcf$: cold('o', tcfs), view$: cold('v-v---v'), pageExit$ });
    tradedesk.run(streams, hot('o', options), deps).subscribe();
    flush();
    expect(asked()).toHaveLength(2);
    expect(notes.get(note)).toBe(started);
  });

  it.each([
    ['without consent', 'n', true, 0],
    ['with consent for the vendor and all purposes refused', 'p', true, 0],
    ['where the visitor objects to sharing', 'y', false, 0],
    ['where GDPR does not apply', 'o', true, 1],
    ['while the platform fails', 'a', true, 0],
  ])('%s', (_, platform, mayShare, matches) => {
    marbles(({ hot, cold, flush, expectObservable }) => {
      const { deps, asked } = browserWith({});
      const streams = { tcf$: cold(platform, tcfs), sharing$: cold('s', { s: mayShare }), view$: cold('v') };
      expectObservable(tradedesk.run(addonStreams(streams), hot('o', options), deps)).toBe('-');
      flush();
      expect(asked()).toHaveLength(matches);
    })();
  });

  it('needs the consent of vendor 21', () => {
    const vendors: number[] = [];
    marbles(({ hot, cold, flush }) => {
      const tcf$ = cold('t', { t: { ...tcfs['y']!, vendorConsent: (id: number) => vendors.push(id) === 0 } });
      tradedesk.run(addonStreams({ tcf$, view$: cold('v') }), hot('o', options), browserWith({}).deps).subscribe();
      flush();
    })();
    expect(vendors).toEqual([21]);
  });

  it.each<readonly [string, unknown, number]>([
    ['again 86,400 s after the last match', started - 86_400_000, 1],
    ['not earlier', started - 86_399_999, 0],
    ['where the kept time is still to come, because the clock was changed', started + 1, 1],
    ['where what is kept is no time', 'yesterday', 1],
  ])('matches %s', (_, stored, matches) => {
    marbles(({ hot, cold, flush, expectObservable }) => {
      const { deps, asked } = browserWith({}, { [note]: stored });
      const streams = addonStreams({ tcf$: cold('o', tcfs), view$: cold('v') });
      expectObservable(tradedesk.run(streams, hot('o', options), deps)).toBe('-');
      flush();
      expect(asked()).toHaveLength(matches);
    })();
  });

  marble(
    'matches again in a view after that time, in the same document',
    ({ hot, cold, schedule, flush, expectObservable }) => {
      let time = 0;
      const { deps, asked } = browserAt(() => time);
      const view$ = hot('v 86399998ms w x');
      const streams = addonStreams({ tcf$: cold('o', tcfs), view$ });
      schedule('-- 86399997ms t-', { t: () => (time = 86_400_000) });
      expectObservable(tradedesk.run(streams, cold('o', options), deps)).toBe('-');
      flush();
      expect(asked()).toHaveLength(2);
    },
  );

  marble('matches nothing more once consent is withdrawn', ({ hot, cold, schedule, flush, expectObservable }) => {
    let time = 0;
    const { deps, asked } = browserAt(() => time, { [note]: started });
    const tcf$ = cold('y-n-y', tcfs);
    const view$ = hot('v--w--');
    schedule('         -t----', { t: () => (time = 86_400_000) });
    const streams = addonStreams({ tcf$, view$ });
    expectObservable(tradedesk.run(streams, cold('o', options), deps), '----!').toBe('-');
    flush();
    expect(asked()).toEqual([]);
  });

  it.each([
    [{}, 'pid: expected the publisher’s id'],
    [{ pid: 'ledger', pixel_url: 'http://a.example/' }, 'pixel_url: expected an https address of a public host'],
  ])('reports options that make no address (%j), and keeps no time', (given, fault) => {
    marbles(({ hot, cold, flush, expectObservable }) => {
      const { deps, asked, notes } = browserWith({});
      const options$ = hot('o', { o: tradedesk.options(given, () => undefined) });
      expectObservable(tradedesk.run(addonStreams({ tcf$: cold('o', tcfs), view$: cold('v') }), options$, deps)).toBe(
        '-',
      );
      flush();
      expect([asked(), [...notes]]).toEqual([[], []]);
      expect(deps.report.mock.calls).toEqual([['Failed to match with The Trade Desk', new Error(fault)]]);
    })();
  });

  it('keeps valid options, and reports each other one', () => {
    const faults: unknown[] = [];
    expect(tradedesk.options({ pid: 7, pixel_url: ['x'] }, (cause) => faults.push(String(cause)))).toEqual({
      pid: '',
      pixel_url: 'https://match.adsrvr.org/track/cmf/generic',
    });
    expect(faults).toEqual([expect.stringContaining('pid'), expect.stringContaining('pixel_url')]);
    const given = { pid: 'a', pixel_url: 'https://match.example/' };
    expect(tradedesk.options(given, (cause) => faults.push(cause))).toEqual(given);
    expect(faults).toHaveLength(2);
  });
});
