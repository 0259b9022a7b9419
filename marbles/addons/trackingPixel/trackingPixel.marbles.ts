import * as fc from 'fast-check';
import { of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { trackingPixel } from '../../../src/addons/trackingPixel/trackingPixel';
import { type Activation, reaction } from '../../../src/model/activation';
import type { Cohorts } from '../../../src/model/cohorts';
import type { PageExit } from '../../../src/model/pageSignal';
import type { Tcf } from '../../../src/model/tcf';
import { law } from '../../../test/support/laws';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { noPlatform, tcfAnswer } from '../../support/tcfAnswer';

const pixel = (
  id: string,
  tt: Activation['tt'],
  pixel_url: string,
  changes: Record<string, unknown> = {},
  sc = 7,
): Activation => ({ id, short_id: id, sc, tt, c: { pixel_url, ...changes } });
const [enter, leave, again] = ['https://a.example/in?x=1', 'https://a.example/out', 'https://b.example/?y=%20z'];
const N = pixel('N', 'OnEntry', enter);
const X = pixel('X', 'OnExit', leave);
const B = pixel('B', 'OnEntry', again, {}, 8);
const E = pixel('E', 'EveryTime', again);
const drafts = Object.fromEntries(
  [N, X, B, E].map((activation) => [activation.id, reaction(activation, 'impression')]),
);
/** l: the last page's, of 7; n: own, of none; m: of 7; b: of 7 and 8. */
const cohorts: Readonly<Record<string, Cohorts>> = {
  l: { members: ['7'], activations: {}, isRealtime: false },
  n: { members: [], activations: {}, isRealtime: true },
  m: { members: ['7'], activations: {}, isRealtime: true },
  b: { members: ['7', '8'], activations: {}, isRealtime: true },
};
const tcfs: Readonly<Record<string, Tcf>> = {
  y: tcfAnswer({ tcString: 'C&S', vendorConsent: (id) => id === 755 }),
  n: tcfAnswer({ tcString: 'CS', vendorConsent: (id) => id === 21 }),
  o: noPlatform,
};
const stateName = 'addon:tracking_pixel';

/** Deps whose memory outlives the page. */
const browser = (activations: readonly Activation[], stored: unknown = null) => {
  let state = stored;
  const deps = addonDeps({
    activations,
    context: () => ({ domain: 'site.example' }),
    recall: (name) => (name === stateName ? state : null),
  });
  deps.remember.mockImplementation((...[, value]: unknown[]) => void (state = value));
  return { deps, state: () => state, asked: (): unknown[] => deps.loadPixel.mock.calls.map(([url]) => url as unknown) };
};

describe('tracking_pixel', () => {
  marble(
    'tells of all present cohorts on a first run, then of entries and exits',
    ({ hot, cold, flush, expectObservable }) => {
      const { deps, asked, state } = browser([N, X, B]);
      const cohorts$ = cold('l-m-m-b-n-m', cohorts);
      const expected = '     --N---B-X-N';
      expectObservable(trackingPixel.run(addonStreams({ cohorts$ }), hot('o'), deps)).toBe(expected, drafts);
      flush();
      expect(asked()).toEqual([enter, again, leave, enter]);
      expect(state()).toEqual({ 'a.example': { N: '7', X: '7' }, 'b.example': {} });
    },
  );

  marble('waits until the visitor’s data may be shared', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked, state } = browser([N, E]);
    const streams = { cohorts$: cold('m', cohorts), view$: cold('v'), sharing$: cold('n-n-y', { n: false, y: true }) };
    const expected = '     ----(NE)';
    expectObservable(trackingPixel.run(addonStreams(streams), hot('o'), deps)).toBe(expected, drafts);
    flush();
    expect([asked(), state()]).toEqual([[enter, again], { 'a.example': { N: '7' } }]);
  });

  marble('compares with what it told last, on the page before', ({ hot, cold, flush, expectObservable }) => {
    const { deps, asked } = browser([N, X, B], { 'a.example': { N: '7', X: '7' } });
    expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('b', cohorts) }), hot('o'), deps)).toBe(
      'B',
      drafts,
    );
    flush();
    expect(asked()).toEqual([again]);
  });

  marble('tells of an exit that happened between pages', ({ hot, cold, expectObservable }) => {
    const { deps } = browser([N, X], { 'a.example': { N: '7', X: '7' } });
    expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('n', cohorts) }), hot('o'), deps)).toBe(
      'X',
      drafts,
    );
  });

  it.each([['text'], [7], [[1]], [{ 'a.example': 'x' }], [{ 'a.example': null }]])(
    'takes a stored state that makes no sense (%j) for a first run',
    (stored) => {
      marbles(({ hot, cold, expectObservable }) => {
        expectObservable(
          trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts) }), hot('o'), browser([N], stored).deps),
        ).toBe('N', drafts);
      })();
    },
  );

  marble('asks for EveryTime pixels once per view', ({ hot, cold, expectObservable }) => {
    const view$ = hot(' -v--w--');
    expectObservable(
      trackingPixel.run(addonStreams({ cohorts$: cold('mm', cohorts), view$ }), cold('o'), browser([E]).deps),
    ).toBe('-E--E', drafts);
  });

  marble('keeps the state of a cohort that does not apply on this page', ({ hot, cold, flush, expectObservable }) => {
    const elsewhere = {
      ...N,
      cc: {
        operator: 'AND' as const,
        criteria: [{ key: 'domain', comparison: 'EQUALS' as const, value: 'other.example' }],
      },
    };
    const { deps, state } = browser([elsewhere], { 'a.example': { N: '7' } });
    expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('n-m', cohorts) }), hot('o'), deps)).toBe('-');
    flush();
    expect(state()).toEqual({ 'a.example': { N: '7' } });
  });

  marble('started twice, asks once', ({ hot, cold, expectObservable }) => {
    expectObservable(
      trackingPixel.run(
        addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v') }),
        hot('o-o'),
        browser([N, E]).deps,
      ),
    ).toBe('(NE)', drafts);
  });

  marble('reports a pixel that fails, and asks for the next', ({ hot, cold, flush, expectObservable }) => {
    const { deps } = browser([N, B]);
    deps.loadPixel.mockImplementationOnce(() => {
      throw new Error('no images');
    });
    expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('b', cohorts) }), hot('o'), deps)).toBe(
      'B',
      drafts,
    );
    flush();
    expect(deps.report.mock.calls).toEqual([['Failed to create tracking pixel', new Error('no images')]]);
  });

  describe('that has failed', () => {
    const exits: Readonly<Record<string, PageExit>> = { b: { step: 'beforeFlush', isUnloading: true } };

    marble(
      'tells of no impression, and is due again on the next page',
      ({ hot, cold, schedule, flush, expectObservable }) => {
        const { deps, asked, state } = browser([N, X, B], { 'a.example': { X: '7' }, 'b.example': { other: '9' } });
        deps.loadPixel.mockReturnValueOnce(of(false));
        const cohorts$ = cold('b-b-b-b---', cohorts);
        const pageExit$ = hot('--------b-', exits);
        const expected = '     B---------';
        expectObservable(trackingPixel.run(addonStreams({ cohorts$, pageExit$ }), hot('o'), deps)).toBe(expected, {
          B: reaction(B, 'impression'),
        });
        const states: unknown[] = [];
        schedule('-------a-c', { a: () => states.push(state()), c: () => states.push(state()) });
        flush();
        expect(asked()).toEqual([enter, again]);
        expect(states).toEqual([
          { 'a.example': { N: '7', X: '7' }, 'b.example': { other: '9', B: '8' } },
          { 'a.example': { X: '7' }, 'b.example': { other: '9', B: '8' } },
        ]);
        expect(deps.report).not.toHaveBeenCalled();
      },
    );

    marble('at an exit is due again as an exit', ({ hot, cold, flush, expectObservable }) => {
      const { deps, state } = browser([N, X], { 'a.example': { N: '7', X: '7' } });
      deps.loadPixel.mockReturnValueOnce(of(false));
      const streams = addonStreams({ cohorts$: cold('n', cohorts), pageExit$: hot('--b', exits) });
      expectObservable(trackingPixel.run(streams, hot('o'), deps)).toBe('-');
      flush();
      expect(state()).toEqual({ 'a.example': { X: '7' } });
    });

    marble('as an EveryTime pixel is due in the next view, as ever', ({ hot, cold, flush, expectObservable }) => {
      const { deps } = browser([E]);
      deps.loadPixel.mockReturnValueOnce(of(false));
      const streams = { cohorts$: cold('m', cohorts), view$: hot('-v--w'), pageExit$: hot('------b', exits) };
      expectObservable(trackingPixel.run(addonStreams(streams), hot('o'), deps)).toBe('----E', drafts);
      flush();
      expect(deps.remember).not.toHaveBeenCalled();
    });
  });

  marble('tells of an impression when the request counts as made', ({ hot, cold, expectObservable }) => {
    const { deps } = browser([N]);
    deps.loadPixel.mockReturnValueOnce(cold('---t', { t: true }));
    expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts) }), hot('o'), deps)).toBe(
      '---N',
      drafts,
    );
  });

  describe('remembers each activation by itself', () => {
    const waiting = pixel('V', 'OnEntry', 'https://a.example/vendor', { tcf_vendor_id: 755 });
    const on = (id: string, domain: string): Activation => ({
      ...pixel(id, 'OnEntry', `https://a.example/${domain}`),
      cc: { operator: 'AND', criteria: [{ key: 'domain', comparison: 'EQUALS', value: domain }] },
    });
    const impressions = { N: reaction(N, 'impression'), V: reaction(waiting, 'impression') };

    marble(
      'a pixel that waits for its vendor is not lost when another of its host has fired',
      ({ hot, cold, flush, expectObservable }) => {
        const { deps, state } = browser([N, waiting]);
        const streams = { cohorts$: cold('m', cohorts), tcf$: hot('---n--y', tcfs) };
        const expected = '                N-----V';
        expectObservable(trackingPixel.run(addonStreams(streams), hot('o'), deps)).toBe(expected, impressions);
        flush();
        expect(state()).toEqual({ 'a.example': { N: '7', V: '7' } });
      },
    );

    marble('nor on the page after', ({ hot, cold, expectObservable }) => {
      const streams = { cohorts$: cold('m', cohorts), tcf$: cold('y', tcfs) };
      const { deps } = browser([N, waiting], { 'a.example': { N: '7' } });
      expectObservable(trackingPixel.run(addonStreams(streams), hot('o'), deps)).toBe('V', impressions);
    });

    it('the second of two activations whose criteria hold on different pages', () => {
      const [here, there] = [on('H', 'site.example'), on('T', 'other.example')];
      let domain = 'site.example';
      const { deps, asked } = browser([here, there]);
      const visit = marbles(({ hot, cold, flush, expectObservable }) => {
        const page = { ...deps, context: () => ({ domain }) };
        expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts) }), hot('o'), page)).toBe('D', {
          D: reaction(domain === 'site.example' ? here : there, 'impression'),
        });
        flush();
      });
      visit();
      domain = 'other.example';
      visit();
      expect(asked()).toEqual(['https://a.example/site.example', 'https://a.example/other.example']);
    });

    marble(
      'fires in a later view of the document what did not apply in the one before',
      ({ hot, cold, state, schedule, expectObservable }) => {
        let domain = 'other.example';
        const { deps } = browser([on('H', 'site.example')]);
        const view$ = state('v--w');
        const expected = ' ---H';
        const page = { ...deps, context: () => ({ domain }) };
        schedule('         --d', { d: () => (domain = 'site.example') });
        expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts), view$ }), hot('o'), page)).toBe(
          expected,
          { H: reaction(on('H', 'site.example'), 'impression') },
        );
      },
    );

    marble('reads what earlier versions kept for the host', ({ hot, cold, flush, expectObservable }) => {
      const { deps, state } = browser([N, X, B], { 'a.example': ['7'], 'gone.example': ['9'] });
      const cohorts$ = cold('m-n-b', cohorts);
      const expected = '     --X-(NB)';
      expectObservable(trackingPixel.run(addonStreams({ cohorts$ }), hot('o'), deps)).toBe(expected, drafts);
      flush();
      expect(state()).toEqual({ 'a.example': { N: '7', X: '7' }, 'b.example': { B: '8' }, 'gone.example': ['9'] });
    });
  });

  describe('with a vendor', () => {
    const vendor = (id: unknown, tt: Activation['tt'] = 'OnEntry') => pixel('N', tt, enter, { tcf_vendor_id: id });
    it.each([
      ['OnEntry', '755'],
      ['OnEntry', 755],
      ['EveryTime', '755'],
    ] as const)('waits for its consent (%s, %p)', (tt, id) => {
      marbles(({ hot, cold, flush, expectObservable }) => {
        const { deps, asked } = browser([vendor(id, tt)]);
        const tcf$ = hot('---n--y--y', tcfs);
        const expected = '------N';
        expectObservable(
          trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v'), tcf$ }), hot('o'), deps),
        ).toBe(expected, drafts);
        flush();
        expect(asked()).toEqual(['https://a.example/in?x=1&gdpr=1&gdpr_consent=C%26S']);
      })();
    });

    it.each<readonly [what: string, id: unknown, tcf_purposes: readonly number[] | undefined, isFired: boolean]>([
      ['a vendor whose purposes are refused', 755, undefined, false],
      ['a vendor that needs none', 755, [], true],
      ['no vendor', '', undefined, true],
      ['no vendor, with purposes', '', [1], false],
    ])('heeds purposes of the TCF: %s', (_, id, tcf_purposes, isFired) => {
      for (const tt of ['OnEntry', 'EveryTime'] as const)
        marbles(({ cold, expectObservable }) => {
          const { deps } = browser([vendor(id, tt)]);
          const tcf$ = cold('t', { t: { ...tcfs['y']!, purposeConsent: () => false } });
          const streams = addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v'), tcf$ });
          expectObservable(trackingPixel.run(streams, cold('o', { o: { tcf_purposes } }), deps)).toBe(
            isFired ? 'N' : '',
            drafts,
          );
        })();
    });

    marble('fires for the purposes that the activation itself names', ({ hot, cold, flush, expectObservable }) => {
      const measuring = pixel('N', 'OnEntry', enter, { tcf_vendor_id: 755, tcf_purposes: [7] });
      const { deps, asked } = browser([measuring, { ...vendor(755), id: 'P' }]);
      const tcf$ = cold('t', { t: { ...tcfs['y']!, purposeConsent: (purpose: number) => purpose === 7 } });
      expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts), tcf$ }), hot('o'), deps)).toBe(
        'N',
        drafts,
      );
      flush();
      expect(asked()).toHaveLength(1);
    });

    marble('assumes consent where GDPR does not apply', ({ hot, cold, flush, expectObservable }) => {
      const { deps, asked } = browser([vendor('755')]);
      expectObservable(
        trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts), tcf$: cold('o', tcfs) }), hot('o'), deps),
      ).toBe('N', drafts);
      flush();
      expect(asked()).toEqual(['https://a.example/in?x=1&gdpr=0&gdpr_consent=']);
    });

    it.each([['abc'], [{}], ['7x']])('whose id is %j is reported and left out', (id) => {
      marbles(({ hot, cold, flush, expectObservable }) => {
        const { deps } = browser([vendor(id), B]);
        expectObservable(
          trackingPixel.run(addonStreams({ cohorts$: cold('b', cohorts), tcf$: cold('y', tcfs) }), hot('o'), deps),
        ).toBe('B', drafts);
        flush();
        expect(deps.report.mock.calls.map(([message]) => message)).toEqual(['Invalid tcf vendor ID']);
      })();
    });
  });

  describe('asks only public hosts, over https, without credentials', () => {
    const askedFor = (url: string): { readonly asked: unknown[]; readonly reports: string[] } => {
      const { deps, asked } = browser([pixel('N', 'OnEntry', url)]);
      new TestScheduler(() => undefined).run(({ hot, cold, expectObservable, flush }) => {
        expectObservable(trackingPixel.run(addonStreams({ cohorts$: cold('m', cohorts) }), hot('o'), deps)).toBe('');
        flush();
      });
      return { asked: asked(), reports: deps.report.mock.calls.map(([message]) => message) };
    };

    it.each([
      '',
      'no url',
      '/relative',
      'http://a.example/',
      'javascript:alert(1)',
      'data:image/gif;base64,R0',
      'ftp://a.example/',
      'https://user@a.example/',
      'https://:pass@a.example/',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://x.localhost/',
      'https://printer.local/',
      'https://db.internal/',
      'https://intranet/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://10.0.0.1/',
      'https://192.168.1.1:8443/',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://a.example:8443/p?q#h',
      ...['lan', 'corp', 'home', 'home.arpa', 'intranet', 'localdomain', 'fritz.box', 'private', 'LAN.'].map(
        (ending) => `https://printer.${ending}/`,
      ),
      'https://fritz.box/',
      'https://home.arpa/',
      'https://127.0.0.1.nip.io/',
      'https://127-0-0-1.example/',
      'https://a.10.0.0.1.example/',
      'https://7f000001.nip.io/',
      'https://app.localtest.me/',
    ])('not %p', (url) => {
      expect(askedFor(url)).toEqual({ asked: [], reports: ['Failed to create tracking pixel'] });
    });

    it.each([
      'https://a.example',
      'https://a.example:443/p?q#h',
      'https://123.example/',
      'https://v1.2.3.example/',
      'https://corporate.example/',
      'https://home.example/',
      'https://local.example/',
      'https://localhost.example/',
    ])('but %p', (url) => {
      expect(askedFor(url)).toEqual({ asked: [new URL(url).href], reports: [] });
    });

    const anyUrl = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('https:', 'http:', 'javascript:', 'HTTPS:', ' https:'),
          fc.constantFrom('//', '/\\', '///', ''),
          fc.constantFrom(
            'a.example',
            'u:p@a.example',
            'localhost',
            '127.1',
            '[::1]',
            'a.example@10.0.0.1',
            'a.example#@b',
          ),
          fc.string(),
        )
        .map((parts) => parts.join('')),
    );
    it(
      'whatever the address',
      law(anyUrl, (url) => {
        for (const asked of askedFor(url).asked) {
          const { protocol, username, password, hostname } = new URL(String(asked));
          expect({ protocol, username, password }).toEqual({ protocol: 'https:', username: '', password: '' });
          expect(hostname).toMatch(/^[^[]*\.[^[]*$/);
          expect(hostname).not.toMatch(/^[\d.]+$|localhost$/);
        }
      }),
    );
  });
});
