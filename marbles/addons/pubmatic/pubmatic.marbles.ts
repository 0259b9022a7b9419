import { of } from 'rxjs';

import { pubmatic } from '../../../src/addons/pubmatic/pubmatic';
import type { Activation } from '../../../src/model/activation';
import { addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { activationOf, browserWith, cohorts, tcfs } from '../../support/partnerWorld';

const first = activationOf('A', 'EveryTime', { dpid: '410' });
const second = activationOf('B', 'EveryTime', { dpid: '410' }, { sc: 8 });
const other = activationOf('C', 'EveryTime', { dpid: 411 }, { sc: 8 });
const activations = [first, second, other];
const options = { o: pubmatic.options({}, () => undefined) };

/** What a pixel of PubMatic asks for: the consent of the request, and the address to which it redirects. */
const parsed = (address: unknown) => {
  const { origin, pathname, searchParams } = new URL(String(address));
  const { rd = '', ...consent } = Object.fromEntries(searchParams);
  return { address: origin + pathname, consent, redirect: rd };
};
const segmentsIn = (address: unknown): string => {
  const { searchParams } = new URL(parsed(address).redirect);
  return `${String(searchParams.get('dpid'))}: ${String(searchParams.get('segid'))}`;
};

describe('pubmatic', () => {
  marble('embeds one pixel for a dpid, which sets the cookie and redirects', ({ hot, cold, flush }) => {
    const { deps, asked } = browserWith({ activations: [first, second] });
    const streams = addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('y', tcfs) });
    pubmatic.run(streams, hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(parsed)).toEqual([
      {
        address: 'https://image2.pubmatic.com/AdServer/UCookieSetPug',
        consent: { gdpr: '1', gdpr_consent: 'C&S' },
        redirect:
          'https://aud.pubmatic.com/AdServer/Artemis?dpid=410&segid=7%2C8&gdpr=1&gdpr_consent=C%26S&userid=#PM_USER_ID',
      },
    ]);
    expect(String(asked()[0])).toContain('%23PM_USER_ID');
  });

  marble('embeds the pixel of a dpid only when its list has changed', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked, notes } = browserWith({ activations });
    const cohorts$ = cold('l-m-m-b-b-n-n', cohorts);
    const streams = addonStreams({ cohorts$, tcf$: cold('o', tcfs) });
    expectObservable(pubmatic.run(streams, hot('o', options), deps)).toBe('-');
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 7', '410: 7,8', '411: 8', '410: ', '411: ']);
    expect(notes.get('pubmatic')).toEqual({ '410': [], '411': [] });
  });

  it.each<readonly [string, unknown, readonly string[]]>([
    ['goes by what the page before has told', { '410': ['7', '8'] }, ['411: 8']],
    ['tells nothing anew', { '410': ['7', '8'], '411': ['8'] }, []],
    ['takes a note that makes no sense for none', 'text', ['410: 7,8', '411: 8']],
    ['takes a list that makes no sense for none', { '410': 7, '411': { a: 1 } }, ['410: 7,8', '411: 8']],
  ])('%s', (_, stored, expected) => {
    marbles(({ hot, cold, flush, expectObservable }) => {
      const { deps, asked } = browserWith({ activations }, { pubmatic: stored });
      const streams = addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('o', tcfs) });
      expectObservable(pubmatic.run(streams, hot('o', options), deps)).toBe('-');
      flush();
      expect(asked().map(segmentsIn)).toEqual(expected);
      expect(deps.remember).toHaveBeenCalledTimes(expected.length === 0 ? 0 : 1);
    })();
  });

  marble('has no segment for an exit, because a list is of the visitor’s present cohorts', ({ hot, cold, flush }) => {
    const left = activationOf('X', 'OnExit', { dpid: '410' }, { sc: 8 });
    const { deps, asked } = browserWith({ activations: [first, left, activationOf('Y', 'OnExit', { dpid: '412' })] });
    const cohorts$ = cold('b-m-n', cohorts);
    pubmatic.run(addonStreams({ cohorts$, tcf$: cold('o', tcfs) }), hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 7', '410: ']);
  });

  marble('keeps what it told of dpids that the project has no more', ({ hot, cold, flush }) => {
    const { deps, notes } = browserWith({ activations }, { pubmatic: { '409': ['1'] } });
    const streams = addonStreams({ cohorts$: cold('m', cohorts), tcf$: cold('o', tcfs) });
    pubmatic.run(streams, hot('o', options), deps).subscribe();
    flush();
    expect(notes.get('pubmatic')).toEqual({ '409': ['1'], '410': ['7'], '411': [] });
  });

  marble('leaves a segment as it is that does not apply on this page', ({ hot, cold, flush }) => {
    const elsewhere: Activation = {
      ...second,
      cc: { operator: 'AND', criteria: [{ key: 'domain', comparison: 'EQUALS', value: 'other.example' }] },
    };
    const { deps, asked } = browserWith({ activations: [first, elsewhere] }, { pubmatic: { '410': ['8'] } });
    const streams = addonStreams({ cohorts$: cold('m', cohorts), tcf$: cold('o', tcfs) });
    pubmatic.run(streams, hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 7,8']);
  });

  marble('tells in a later view what did not apply in the one before', ({ hot, cold, state, schedule, flush }) => {
    let path = '/here';
    const there: Activation = {
      ...first,
      cc: { operator: 'AND', criteria: [{ key: 'path', comparison: 'EQUALS', value: '/there' }] },
    };
    const { deps, asked } = browserWith({ activations: [there], context: () => ({ path }) });
    const streams = { cohorts$: cold('m', cohorts), tcf$: cold('o', tcfs), view$: state('v--w') };
    schedule('--t', { t: () => (path = '/there') });
    pubmatic.run(addonStreams(streams), hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 7']);
  });

  marble('waits for consent, and ends with it', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked } = browserWith({ activations });
    const cohorts$ = cold(' m-------b---n', cohorts);
    const tcf$ = cold('     --n-y-n-----y', tcfs);
    expectObservable(pubmatic.run(addonStreams({ cohorts$, tcf$ }), hot('o', options), deps)).toBe('-');
    flush();
    // The pixel of frame 4, and at frame 12 an empty list of segments: the entry of frame 8 had no consent.
    expect(asked().map(segmentsIn)).toEqual(['410: 7', '410: ']);
  });

  it('needs the consent of vendor 76, and that data may be shared', () => {
    const vendors: number[] = [];
    marbles(({ hot, cold, flush }) => {
      const tcf$ = cold('t', { t: { ...tcfs['y']!, vendorConsent: (id: number) => vendors.push(id) === 0 } });
      const { deps, asked } = browserWith({ activations });
      pubmatic.run(addonStreams({ cohorts$: cold('b', cohorts), tcf$ }), hot('o', options), deps).subscribe();
      const sharing$ = cold('n', { n: false });
      const streams = addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('o', tcfs), sharing$ });
      pubmatic.run(streams, hot('o', options), deps).subscribe();
      flush();
      expect(asked()).toEqual([]);
    })();
    expect(vendors).toEqual([76]);
  });

  marble('tells of activations whose own purposes have consent, and of no others', ({ hot, cold, flush }) => {
    const measuring = activationOf('M', 'EveryTime', { dpid: '410', tcf_purposes: [7] }, { sc: 8 });
    const { deps, asked } = browserWith({ activations: [first, measuring, other] }, { pubmatic: { '411': ['8'] } });
    const only = { ...tcfs['y']!, purposeConsent: (purpose: number) => purpose === 7 };
    const tcf$ = cold('m-n-y-m', { ...tcfs, m: only });
    pubmatic.run(addonStreams({ cohorts$: cold('b', cohorts), tcf$ }), hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 8', '410: 7,8', '410: 8']);
  });

  marble('reports a pixel that fails, and embeds the next', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked } = browserWith({ activations });
    const oops = new Error('no images');
    deps.loadPixel.mockImplementationOnce(() => {
      throw oops;
    });
    const streams = addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('o', tcfs) });
    expectObservable(pubmatic.run(streams, hot('o', options), deps)).toBe('-');
    flush();
    expect(asked()).toHaveLength(2);
    expect(deps.report.mock.calls).toEqual([['[pubmatic] Failed to create pixel', oops]]);
  });

  marble('that has failed for one dpid is due again for it on the next page', ({ hot, cold, flush }) => {
    const { deps, asked, notes } = browserWith({ activations }, { pubmatic: { '410': ['9'] } });
    deps.loadPixel.mockReturnValueOnce(of(false));
    const pageExit$ = hot('----b', { b: { step: 'beforeFlush', isUnloading: true } } as const);
    const streams = addonStreams({ cohorts$: cold('b-b', cohorts), tcf$: cold('o', tcfs), pageExit$ });
    pubmatic.run(streams, hot('o', options), deps).subscribe();
    flush();
    expect(asked().map(segmentsIn)).toEqual(['410: 7,8', '411: 8']);
    expect(notes.get('pubmatic')).toEqual({ '410': ['9'], '411': ['8'] });
  });

  it.each([['cookie_set_url'], ['segment_url']])(
    'reports a %s that is no public address, and keeps nothing',
    (field) => {
      marbles(({ hot, cold, flush, expectObservable }) => {
        const { deps, asked, notes } = browserWith({ activations });
        const options$ = hot('o', { o: pubmatic.options({ [field]: 'http://a.example' }, () => undefined) });
        const streams = addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('o', tcfs) });
        expectObservable(pubmatic.run(streams, options$, deps)).toBe('-');
        flush();
        expect([asked(), [...notes]]).toEqual([[], []]);
        expect(deps.report.mock.calls).toEqual([
          ['[pubmatic] Failed to create pixel', new Error(`${field}: expected an https address of a public host`)],
        ]);
      })();
    },
  );

  marble('listens to nothing without a dpid', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const cohorts$ = cold('b', cohorts);
    const { deps } = browserWith({ activations: [activationOf('A', 'EveryTime', { dpid: '' })] });
    expectObservable(pubmatic.run(addonStreams({ cohorts$ }), hot('o', options), deps)).toBe('|');
    expectSubscriptions(cohorts$.subscriptions).toBe([]);
  });

  it('keeps valid options, and reports each other one', () => {
    const faults: unknown[] = [];
    expect(pubmatic.options({ cookie_set_url: 7, segment_url: {} }, (cause) => faults.push(String(cause)))).toEqual({
      cookie_set_url: 'https://image2.pubmatic.com/AdServer/UCookieSetPug',
      segment_url: 'https://aud.pubmatic.com/AdServer/Artemis',
    });
    expect(faults).toEqual([expect.stringContaining('cookie_set_url'), expect.stringContaining('segment_url')]);
    const given = { cookie_set_url: 'https://a.example/', segment_url: 'https://b.example/' };
    expect(pubmatic.options(given, (cause) => faults.push(cause))).toEqual(given);
    expect(faults).toHaveLength(2);
  });
});
