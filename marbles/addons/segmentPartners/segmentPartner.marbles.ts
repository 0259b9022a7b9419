import { defer, map, type Observable, of, throwError, timer } from 'rxjs';

import {
  partnerFields,
  type PartnerOptions,
  segmentPartner,
  type Signal,
} from '../../../src/addons/segmentPartners/segmentPartner';
import { optionsOf } from '../../../src/codecs/options';
import { type Activation, reaction } from '../../../src/model/activation';
import { addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { activationOf, browserWith, cohorts, tcfs } from '../../support/partnerWorld';

const N = activationOf('N', 'OnEntry');
const X = activationOf('X', 'OnExit');
const E = activationOf('E', 'EveryTime', { segment: 'savers' }, { sc: 8 });
const drafts = Object.fromEntries([N, X, E].map((activation) => [activation.id, reaction(activation, 'impression')]));
const options: PartnerOptions = { tcf_vendor_id: undefined, tcf_purposes: undefined };
const note = 'addon:partner';

/** A partner that is reached `after` ms, and what it was told. */
const partnerOf = ({
  vendorId,
  after = 0,
  answered$ = of(true),
}: { readonly vendorId?: number; readonly after?: number; readonly answered$?: Observable<boolean> } = {}) => {
  const told: string[] = [];
  const tell = ({ activation, entered, segment, segments, tcf }: Signal): Observable<boolean> => {
    told.push([activation.id, entered ? 'in' : 'out', segment, segments.join('+'), tcf?.tcString].join(' '));
    return answered$;
  };
  return {
    told,
    addon: segmentPartner<PartnerOptions>({
      name: 'partner',
      options: optionsOf(partnerFields),
      reach: () => (after === 0 ? of(tell) : timer(after).pipe(map(() => tell))),
      ...(vendorId !== undefined && { vendorId }),
    }),
  };
};

describe('segmentPartner', () => {
  marble(
    'tells of all present cohorts on a first run, then of each entry and exit',
    ({ hot, state, flush, expectObservable }) => {
      const { addon, told } = partnerOf();
      const { deps, notes } = browserWith({ activations: [N, X, E] });
      const cohorts$ = state('l-b---n---m-b', cohorts);
      const expected = '     --(NE)(XE)N-E';
      expectObservable(addon.run(addonStreams({ cohorts$ }), hot('o', { o: options }), deps)).toBe(expected, drafts);
      flush();
      expect(told).toEqual([
        'N in 7 7+7+savers ',
        'E in savers 7+7+savers ',
        'X out 7  ',
        'E out savers  ',
        'N in 7 7+7 ',
        'E in savers 7+7+savers ',
      ]);
      expect(notes.get(note)).toEqual({ N: '7', X: '7', E: '8' });
    },
  );

  marble('remembers a first run on which there was nothing to tell', ({ hot, state, flush, expectObservable }) => {
    const { deps, notes } = browserWith({ activations: [N] });
    const { addon } = partnerOf();
    expectObservable(addon.run(addonStreams({ cohorts$: state('n', cohorts) }), hot('o', { o: options }), deps)).toBe(
      '-',
    );
    flush();
    expect(notes.get(note)).toEqual({});
    expect(deps.remember).toHaveBeenCalledTimes(1);
  });

  marble('tells of what has changed since the page before', ({ hot, state, expectObservable }) => {
    const { deps } = browserWith({ activations: [N, X, E] }, { [note]: { N: '7', X: '7' } });
    const cohorts$ = state('b', cohorts);
    expectObservable(partnerOf().addon.run(addonStreams({ cohorts$ }), hot('o', { o: options }), deps)).toBe(
      'E',
      drafts,
    );
  });

  marble('tells of an exit that happened between pages', ({ hot, state, expectObservable }) => {
    const { deps } = browserWith({ activations: [N, X] }, { [note]: { N: '7', X: '7' } });
    const cohorts$ = state('n', cohorts);
    expectObservable(partnerOf().addon.run(addonStreams({ cohorts$ }), hot('o', { o: options }), deps)).toBe(
      'X',
      drafts,
    );
  });

  it.each([['text'], [7], [['7']], [{ N: 7 }], [{ N: ['7'] }]])(
    'takes a note that makes no sense (%j) for a first run',
    (stored) => {
      marbles(({ hot, state, expectObservable }) => {
        const { deps } = browserWith({ activations: [N] }, { [note]: stored });
        const streams = addonStreams({ cohorts$: state('m', cohorts) });
        expectObservable(partnerOf().addon.run(streams, hot('o', { o: options }), deps)).toBe('N', drafts);
      })();
    },
  );

  marble('waits until the visitor’s data may be shared', ({ hot, cold, state, expectObservable }) => {
    const sharing$ = cold('n-n-y', { n: false, y: true });
    const expected = '     ----N';
    const streams = addonStreams({ cohorts$: state('m', cohorts), sharing$ });
    expectObservable(
      partnerOf().addon.run(streams, hot('o', { o: options }), browserWith({ activations: [N] }).deps),
    ).toBe(expected, drafts);
  });

  it.each([
    ['its own', 755, undefined],
    ['the one that the options name', undefined, 12],
  ])('waits for the consent of its vendor, %s', (_, vendorId, tcf_vendor_id) => {
    marbles(({ hot, state, flush, expectObservable }) => {
      const { addon, told } = partnerOf(vendorId === undefined ? {} : { vendorId });
      const tcf$ = hot('  ---n--y--y', tcfs);
      const expected = '  ------N';
      const streams = addonStreams({ cohorts$: state('m', cohorts), tcf$ });
      expectObservable(
        addon.run(
          streams,
          hot('o', { o: { tcf_vendor_id, tcf_purposes: undefined } }),
          browserWith({ activations: [N] }).deps,
        ),
      ).toBe(expected, drafts);
      flush();
      expect(told).toEqual(['N in 7 7 C&S']);
    })();
  });

  marble(
    'tells of each activation once the purposes that it names have consent',
    ({ hot, state, flush, expectObservable }) => {
      const measuring = activationOf('M', 'OnEntry', { tcf_purposes: [7] });
      const { deps, notes } = browserWith({ activations: [N, measuring, X] }, { [note]: { X: '7' } });
      const { addon, told } = partnerOf({ vendorId: 755 });
      const only = { ...tcfs['y']!, purposeConsent: (purpose: number) => purpose === 7 };
      const tcf$ = hot('--m--y', { ...tcfs, m: only });
      const streams = addonStreams({ cohorts$: state('m', cohorts), tcf$ });
      expectObservable(addon.run(streams, hot('o', { o: options }), deps)).toBe('--M--N', {
        ...drafts,
        M: reaction(measuring, 'impression'),
      });
      flush();
      // Only of segments that need the same purposes.
      expect(told).toEqual(['M in 7 7 C&S', 'N in 7 7+7 C&S']);
      expect(notes.get(note)).toEqual({ M: '7', N: '7', X: '7' });
    },
  );

  marble('tells nothing after the vendor’s consent is withdrawn', ({ hot, cold, state, expectObservable }) => {
    const cohorts$ = state('m---b-b', cohorts);
    const tcf$ = cold('    y-n----', tcfs);
    const expected = '     N------';
    const { deps } = browserWith({ activations: [N, E] });
    expectObservable(
      partnerOf({ vendorId: 755 }).addon.run(addonStreams({ cohorts$, tcf$ }), hot('o', { o: options }), deps),
    ).toBe(expected, drafts);
  });

  marble('nor while it still waits for the partner', ({ hot, cold, state, flush, expectObservable }) => {
    const tcf$ = cold('y-n', tcfs);
    const { deps, notes } = browserWith({ activations: [N] });
    const { addon } = partnerOf({ vendorId: 755, after: 5 });
    const streams = addonStreams({ cohorts$: state('m', cohorts), tcf$ });
    expectObservable(addon.run(streams, hot('o', { o: options }), deps)).toBe('-');
    flush();
    expect(notes.has(note)).toBe(false);
  });

  marble('keeps due what could not be told, for a page on which it can', ({ hot, state, flush, expectObservable }) => {
    const { deps, notes } = browserWith({ activations: [N] });
    const unreachable = segmentPartner<PartnerOptions>({
      name: 'partner',
      options: optionsOf(partnerFields),
      reach: () => throwError(() => new Error('not there')),
    });
    const cohorts$ = state('m', cohorts);
    expectObservable(unreachable.run(addonStreams({ cohorts$ }), hot('o', { o: options }), deps)).toBe('-');
    flush();
    expect(deps.report.mock.calls).toEqual([['Failed to reach partner', new Error('not there')]]);
    expect(notes.has(note)).toBe(false);
  });

  marble('says once that a partner is not there, however often it is looked for', ({ hot, state, flush }) => {
    const looked = jest.fn();
    const { deps } = browserWith({ activations: [N, { ...N, id: 'M', c: { tcf_purposes: [7] } }] });
    const unreachable = segmentPartner<PartnerOptions>({
      name: 'partner',
      options: optionsOf(partnerFields),
      reach: () =>
        defer(() => {
          looked();
          throw new Error('not there');
        }),
    });
    const streams = addonStreams({ cohorts$: state('m-n-m-b', cohorts) });
    unreachable.run(streams, hot('o', { o: options }), deps).subscribe();
    flush();
    expect(looked.mock.calls.length).toBeGreaterThan(4);
    expect(deps.report.mock.calls).toEqual([['Failed to reach partner', new Error('not there')]]);
  });

  marble('tells nothing that another tab has told while it waited', ({ hot, state, schedule, expectObservable }) => {
    const { deps, notes } = browserWith({ activations: [N] });
    const streams = addonStreams({ cohorts$: state('m', cohorts) });
    schedule('--t', { t: () => notes.set(note, { N: '7' }) });
    expectObservable(partnerOf({ after: 5 }).addon.run(streams, hot('o', { o: options }), deps)).toBe('-');
  });

  marble('keeps what was told of a cohort that does not apply on this page', ({ hot, state, expectObservable }) => {
    const elsewhere: Activation = {
      ...X,
      cc: { operator: 'AND', criteria: [{ key: 'domain', comparison: 'EQUALS', value: 'other.example' }] },
    };
    const { deps } = browserWith({ activations: [elsewhere] }, { [note]: { X: '7' } });
    const streams = addonStreams({ cohorts$: state('n', cohorts) });
    expectObservable(partnerOf().addon.run(streams, hot('o', { o: options }), deps)).toBe('-');
  });

  marble('reports a partner that throws, and tells of the next', ({ hot, state, flush, expectObservable }) => {
    const { deps } = browserWith({ activations: [N, E] });
    const oops = new Error('oops');
    const addon = segmentPartner<PartnerOptions>({
      name: 'partner',
      options: optionsOf(partnerFields),
      reach: () =>
        of(({ activation }) => {
          if (activation === N) throw oops;
          return of(true);
        }),
    });
    const streams = addonStreams({ cohorts$: state('b-b', cohorts) });
    expectObservable(addon.run(streams, hot('o', { o: options }), deps)).toBe('E', drafts);
    flush();
    expect(deps.report.mock.calls).toEqual([['Failed to tell partner of a segment', oops]]);
  });

  marble(
    'that was not told makes no impression, and is due again on the next page',
    ({ hot, state, flush, expectObservable }) => {
      const { deps, notes } = browserWith({ activations: [N, X, E] }, { [note]: { X: '7' } });
      const { addon, told } = partnerOf({ answered$: of(false) });
      const cohorts$ = state('m-m---', cohorts);
      const pageExit$ = hot('----b-', { b: { step: 'beforeFlush', isUnloading: true } } as const);
      expectObservable(addon.run(addonStreams({ cohorts$, pageExit$ }), hot('o', { o: options }), deps)).toBe('-');
      flush();
      expect(told).toEqual(['N in 7 7+7 ']);
      expect(notes.get(note)).toEqual({ X: '7' });
    },
  );

  marble(
    'is told of other segments while it has not answered, and by no new answer of the platform twice',
    ({ hot, cold, state, flush, expectObservable }) => {
      const { addon, told } = partnerOf({ vendorId: 755, answered$: cold('---t', { t: true }) });
      const cohorts$ = state('m-b---', cohorts);
      const tcf$ = cold('    yy----', tcfs);
      const expected = '     ---N-E';
      const { deps } = browserWith({ activations: [N, E] });
      expectObservable(addon.run(addonStreams({ cohorts$, tcf$ }), hot('o', { o: options }), deps)).toBe(
        expected,
        drafts,
      );
      flush();
      expect(told).toEqual(['N in 7 7 C&S', 'E in savers 7+savers C&S']);
    },
  );

  marble('started twice, tells once', ({ hot, state, expectObservable }) => {
    const streams = addonStreams({ cohorts$: state('m-b', cohorts) });
    expectObservable(
      partnerOf().addon.run(streams, hot('o-o', { o: options }), browserWith({ activations: [N, E] }).deps),
    ).toBe('N-E', drafts);
  });

  marble('tells in a later view what did not apply in the one before', ({ hot, state, expectObservable }) => {
    const there: Activation = {
      ...N,
      cc: { operator: 'AND', criteria: [{ key: 'path', comparison: 'EQUALS', value: '/there' }] },
    };
    const paths = ['/here', '/here', '/there', '/there'];
    const { deps } = browserWith({ activations: [there], context: () => ({ path: paths.shift() }) });
    const view$ = state('v---w-x', { v: 'v', w: 'w', x: 'x' });
    const expected = '   ------N';
    const streams = addonStreams({ cohorts$: state('lm', cohorts), view$ });
    expectObservable(partnerOf().addon.run(streams, hot('o', { o: options }), deps)).toBe(expected, {
      N: reaction(there, 'impression'),
    });
  });

  it.each([
    ['tells of the latest', 'lm-b-b', '------(NE)'],
    ['tells nothing of what is over', 'lm-b-n', '----------'],
  ])(
    'waits for the partner once, whatever cohorts come, and %s',
    marbles(({ hot, state, expectObservable }, _, cohortDiagram, expected) => {
      const { deps } = browserWith({ activations: [N, E] });
      const streams = addonStreams({ cohorts$: state(cohortDiagram, cohorts) });
      expectObservable(partnerOf({ after: 5 }).addon.run(streams, hot('o', { o: options }), deps)).toBe(
        expected,
        drafts,
      );
    }),
  );

  marble('listens to nothing without activations', ({ hot, cold, expectObservable, expectSubscriptions }) => {
    const cohorts$ = cold('m', cohorts);
    expectObservable(
      partnerOf().addon.run(addonStreams({ cohorts$ }), hot('o', { o: options }), browserWith({}).deps),
    ).toBe('|');
    expectSubscriptions(cohorts$.subscriptions).toBe([]);
  });
});
