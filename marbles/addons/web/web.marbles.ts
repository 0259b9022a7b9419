import { asyncScheduler, filter, ignoreElements, NEVER, type Observable, tap } from 'rxjs';

import { type WebOptions, webOptions } from '../../../src/addons/web/options';
import { web } from '../../../src/addons/web/web';
import type { Transition } from '../../../src/model/engineCommands';
import type { EventDraft } from '../../../src/model/event';
import type { LinkClick } from '../../../src/model/pageSignal';
import type { PageExit } from '../../../src/model/pageSignal';
import type { FormContent } from '../../../src/model/pageSignal';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

const optionsOf = (given: object): WebOptions => webOptions(given, jest.fn());
/**
 * o: a start with defaults; n: a second page with options of its own; e: no engagement; c: no completion; u: engagement
 * uploaded.
 */
const options = {
  o: optionsOf({}),
  n: optionsOf({ page: { article: 2 }, context: { url: 'https://site.example/2' } }),
  e: optionsOf({ track_pageview_engagement: false }),
  c: optionsOf({ track_pageview_complete: false }),
  u: optionsOf({ engagement_edge_only: false }),
};
/** h, H: the page is hidden, before the flush and flush; g, G: gone, before the flush and flush. */
const leaves: Readonly<Record<string, PageExit>> = {
  h: { step: 'beforeFlush', isUnloading: false },
  H: { step: 'flush', isUnloading: false },
  g: { step: 'beforeFlush', isUnloading: true },
  G: { step: 'flush', isUnloading: true },
};
/** Entry and exit of cohort 7 and of a cohort without a number. */
const transitions: Readonly<Record<string, Transition>> = {
  e: { id: '7', entry: true, time: 0 },
  x: { id: '7', entry: false, time: 0 },
  f: { id: 'abc', entry: true, time: 0 },
};

const engagement = (
  seconds: number,
  total: number,
  completion: number,
  totalCompletion: number,
  edgeOnly = true,
): EventDraft => ({
  name: 'PageviewEngagement',
  properties: { engaged_time: seconds, total_engaged_time: total, completion, total_completion: totalCompletion },
  edgeOnly,
});
const complete = (total: number, completion: number, lists: object = {}): EventDraft => ({
  name: 'PageviewComplete',
  properties: {
    aggregations: {
      PageviewEngagement: { engaged_time: total, completion },
      SegmentEntry: [],
      SegmentExit: [],
      CohortEntry: [],
      CohortExit: [],
      ...lists,
    },
    total_engaged_time: total,
    total_completion: completion,
  },
  beacon: true,
});
/**
 * p: Pageview; n: the Pageview of the second page; i, j: first and second engagement; u: one that is uploaded; a:
 * complete without engagement; z: with 5 s of it.
 */
const drafts: Readonly<Record<string, EventDraft>> = {
  p: { name: 'Pageview', properties: {}, view: { isAnother: false, client: {}, watson: undefined } },
  n: {
    name: 'Pageview',
    properties: { article: 2 },
    view: { isAnother: true, client: { url: 'https://site.example/2' }, watson: undefined },
  },
  i: engagement(5, 5, 0.25, 0.25),
  j: engagement(5, 10, 0, 0.25),
  u: engagement(5, 5, 0.25, 0.25, false),
  a: complete(0, 0.25),
  y: complete(5, 0.25),
  z: complete(10, 0.25),
  b: complete(0, 0),
  h: { ...complete(5, 0.25), provisional: true },
  k: { ...complete(5, 0.25), edgeOnly: true },
};
const unsub = '^ 20s !';

describe('web', () => {
  marble('gives Pageview at once, engagement every 5 s, and the rest at leave', ({ hot, expectObservable }) => {
    const options$ = hot('  o                         ', options);
    const activity$ = hot(' -a 5s a                   ');
    const pageExit$ = hot('    12s (gG)                  ', leaves);
    const expected = '      p 4999ms i 4999ms j 1999ms z';
    expectObservable(web.run(addonStreams({ activity$, pageExit$ }), options$, addonDeps()), unsub).toBe(
      expected,
      drafts,
    );
  });

  marble('gives nothing before it is started', ({ hot, expectObservable }) => {
    const activity$ = hot(' a 4s a 4s a - ');
    const pageExit$ = hot('    12s (gG)      ', leaves);
    expectObservable(
      web.run(addonStreams({ activity$, pageExit$, evaluatedTransition$: hot('e', transitions) }), NEVER, addonDeps()),
      unsub,
    ).toBe('-');
  });

  marble('gives no engagement of a visitor who does nothing', ({ hot, expectObservable }) => {
    const options$ = hot('  o              ', options);
    const pageExit$ = hot('    12s (gG)       ', leaves);
    const expected = '      p 11999ms a    ';
    expectObservable(web.run(addonStreams({ pageExit$ }), options$, addonDeps()), unsub).toBe(expected, drafts);
  });

  marble('tells the server of a page that is hidden, once', ({ hot, expectObservable }) => {
    const options$ = hot('  o                        ', options);
    const activity$ = hot(' -a                       ');
    const pageExit$ = hot('    6s (hH) 996ms (hH)       ', leaves);
    const expected = '      p 4999ms i 999ms h       ';
    expectObservable(web.run(addonStreams({ pageExit$, activity$ }), options$, addonDeps()), unsub).toBe(
      expected,
      drafts,
    );
  });

  marble('tells the engine of a page that was hidden and then closed', ({ hot, expectObservable }) => {
    const options$ = hot('  o                        ', options);
    const activity$ = hot(' -a                       ');
    const pageExit$ = hot('    6s (hH) 996ms (gG)       ', leaves);
    const expected = '      p 4999ms i 999ms h 999ms k';
    expectObservable(web.run(addonStreams({ pageExit$, activity$ }), options$, addonDeps()), unsub).toBe(
      expected,
      drafts,
    );
  });

  marble('goes on with the view of a page that comes back', ({ hot, expectObservable }) => {
    const options$ = hot('  o                               ', options);
    const activity$ = hot(' -a 5999ms a                     ');
    const pageExit$ = hot('    6s (hH) 5996ms (gG)             ', leaves);
    const expected = '      p 4999ms i 999ms h 3999ms j 1999ms z';
    expectObservable(web.run(addonStreams({ pageExit$, activity$ }), options$, addonDeps()), unsub).toBe(
      expected,
      drafts,
    );
  });

  marble('completes a page once that is closed while it is visible', ({ hot, expectObservable }) => {
    // Browsers hide a page that they have already unloaded.
    const pageExit$ = hot('--(gGhH)', leaves);
    expectObservable(web.run(addonStreams({ pageExit$ }), hot('o', options), addonDeps()), unsub).toBe('p-a', drafts);
  });

  marble('completes a page view once', ({ hot, expectObservable }) => {
    const options$ = hot('  o              ', options);
    const pageExit$ = hot('    --(gG)--(gG)   ', leaves);
    const activity$ = hot(' 3s a           ');
    expectObservable(web.run(addonStreams({ pageExit$, activity$ }), options$, addonDeps()), unsub).toBe('p-a', drafts);
  });

  marble('started again, completes one page view, opens another, and counts anew', ({ hot, expectObservable }) => {
    const options$ = hot('  o 5999ms n          ', options);
    const activity$ = hot(' -a 5999ms a         ');
    // 5 s after the second start; 1 s before, at 10 s of the first, nothing.
    const expected = '      p 4999ms i 999ms (yn) 4996ms q';
    const q = {
      ...engagement(5, 5, 0.25, 0.25),
      properties: { article: 2, ...engagement(5, 5, 0.25, 0.25).properties },
    };
    expectObservable(web.run(addonStreams({ activity$ }), options$, addonDeps()), unsub).toBe(expected, {
      ...drafts,
      q,
    });
  });

  marble('started twice at once, has two page views', ({ hot, expectObservable }) => {
    const options$ = hot('  (on)', options);
    expectObservable(web.run(addonStreams({}), options$, addonDeps()), unsub).toBe('(pbn)', drafts);
  });

  marble('tells the cohorts that were entered and left in the view', ({ hot, expectObservable }) => {
    const options$ = hot('  -o---------', options);
    const evaluatedTransition$ = hot('e-e-f-x-e--', transitions);
    const pageExit$ = hot('    ----------(gG)', leaves);
    const expected = '      -p--------l';
    const l = complete(0, 0.25, {
      SegmentEntry: [7],
      SegmentExit: [7],
      CohortEntry: ['7', 'abc'],
      CohortExit: ['7'],
    });
    expectObservable(web.run(addonStreams({ evaluatedTransition$, pageExit$ }), options$, addonDeps()), unsub).toBe(
      expected,
      {
        ...drafts,
        l,
      },
    );
  });

  marble('tells how far the visitor came, and never less', ({ hot, expectObservable }) => {
    const options$ = hot('  o                    ', options);
    const activity$ = hot(' a 5s a               ');
    const pageExit$ = hot('    12s (gG)             ', leaves);
    const scrollDepth = (): number => (asyncScheduler.now() < 6000 ? 0.75 : 0.5);
    const expected = '      p 4999ms i 4999ms j 1999ms z';
    expectObservable(web.run(addonStreams({ activity$, pageExit$ }), options$, addonDeps({ scrollDepth })), unsub).toBe(
      expected,
      {
        ...drafts,
        i: engagement(5, 5, 0.75, 0.75),
        j: engagement(5, 10, 0, 0.75),
        z: complete(10, 0.75),
      },
    );
  });

  marble('does not count seconds in the background', ({ hot, expectObservable }) => {
    const options$ = hot('  o           ', options);
    const activity$ = hot(' a           ');
    const isVisible = (): boolean => asyncScheduler.now() <= 2000;
    const expected = '      p 4999ms i  ';
    expectObservable(web.run(addonStreams({ activity$ }), options$, addonDeps({ isVisible })), unsub).toBe(expected, {
      ...drafts,
      i: engagement(2, 2, 0.25, 0.25),
    });
  });

  marble('leaves out what the page does not want', ({ hot, expectObservable }) => {
    const activity$ = hot(' -a          ');
    const pageExit$ = hot('    6s (gG)     ', leaves);
    const streams = addonStreams({ activity$, pageExit$ });
    expectObservable(web.run(streams, hot('e', options), addonDeps()), unsub).toBe('p 5999ms y', drafts);
    expectObservable(web.run(streams, hot('c', options), addonDeps()), unsub).toBe('p 4999ms i', drafts);
    expectObservable(web.run(streams, hot('u', options), addonDeps()), unsub).toBe('p 4999ms u 999ms y', drafts);
  });

  marble('hears what the page counts as presence, and how much it says was seen', ({ cold, hot, expectObservable }) => {
    const given = optionsOf({ dirty_events: ['keydown', 'play'], completion: () => '0.5' });
    const listen = (type: string): Observable<unknown> => (type === 'play' ? cold('-a') : NEVER);
    const expected = '      p 4999ms i 3999ms y';
    expectObservable(
      web.run(
        addonStreams({ listen, activity$: hot('7s a'), pageExit$: hot('9s (gG)', leaves) }),
        hot('o', { o: given }),
        addonDeps(),
      ),
      unsub,
    ).toBe(expected, {
      ...drafts,
      i: engagement(5, 5, 0.5, 0.5),
      y: complete(5, 0.5),
    });
  });

  marble('leaves out the events that the page filters out', ({ hot, flush, expectObservable }) => {
    const deps = addonDeps();
    const given = optionsOf({
      filterPermutiveEvent: { PageviewEngagement: () => false, PageviewComplete: () => 'no boolean' },
    });
    expectObservable(
      web.run(addonStreams({ activity$: hot('-a'), pageExit$: hot('6s (gG)', leaves) }), hot('o', { o: given }), deps),
      unsub,
    ).toBe('p 5999ms y', drafts);
    flush();
    expect(deps.report.mock.calls).toEqual([['Invalid filterPermutiveEvent', expect.any(Error)]]);
  });

  describe('forms and links', () => {
    const form: FormContent = { method: 'get', properties: [{ name: 'letter', value: 'finance' }] };
    const links: Readonly<Record<string, LinkClick>> = {
      l: { dest_url: 'https://a.example/', leaves: true },
      t: { dest_url: 'NOT_URL', leaves: false },
    };
    const clicked: Readonly<Record<string, EventDraft>> = {
      f: { name: 'FormSubmission', properties: { article: 1, form }, beacon: true },
      l: { name: 'LinkClick', properties: { article: 1, dest_url: 'https://a.example/' }, beacon: true },
      t: { name: 'LinkClick', properties: { article: 1, dest_url: 'NOT_URL' }, beacon: false },
    };
    const page = { article: 1 };
    const p: EventDraft = {
      name: 'Pageview',
      properties: page,
      view: { isAnother: false, client: {}, watson: undefined },
    };

    marble('are tracked, by beacon where the page may go away', ({ hot, expectObservable }) => {
      const formSubmission$ = hot('--f----', { f: form });
      const linkClick$ = hot('     ----l-t', links);
      const expected = '           p-f-l-t';
      const given = optionsOf({ page, track_form_submission: true, track_link_click: true });
      expectObservable(
        web.run(addonStreams({ formSubmission$, linkClick$ }), hot('o', { o: given }), addonDeps()),
        unsub,
      ).toBe(expected, { p, ...clicked });
    });

    marble('are not listened for unless the page asks', ({ hot, expectObservable, expectSubscriptions }) => {
      const formSubmission$ = hot('-f', { f: form });
      const linkClick$ = hot('     -l', links);
      expectObservable(
        web.run(addonStreams({ formSubmission$, linkClick$ }), hot('o', { o: optionsOf({ page }) }), addonDeps()),
        unsub,
      ).toBe('p', { p });
      for (const source$ of [formSubmission$, linkClick$]) expectSubscriptions(source$.subscriptions).toBe([]);
    });

    marble('are tracked once, however often the page starts the addon', ({ hot, expectObservable }) => {
      const formSubmission$ = hot('--f', { f: form });
      const given = optionsOf({ page, track_form_submission: true });
      const form$ = web
        .run(addonStreams({ formSubmission$ }), hot('(oo)', { o: given }), addonDeps())
        .pipe(filter(({ name }) => name === 'FormSubmission'));
      expectObservable(form$, '^--!').toBe('--f', clicked);
    });
  });

  describe('reset', () => {
    const run = (diagram: string, resetAt: string, expected: string, reports: readonly string[] = []): void =>
      marbles(({ cold, hot, flush, expectObservable }) => {
        const deps = addonDeps();
        let reset: (() => void) | undefined;
        deps.expose.mockImplementation((...[methods]: unknown[]) => ({ reset } = methods as { reset: () => void }));
        expectObservable(
          hot(resetAt).pipe(
            tap(() => reset?.()),
            ignoreElements(),
          ),
        ).toBe('-');
        expectObservable(
          web.run(addonStreams({ activity$: hot('-a 5s a') }), cold(diagram, options), deps),
          '^ 15s !',
        ).toBe(expected, {
          ...drafts,
          q: { ...drafts['p'], view: { isAnother: true, client: {}, watson: undefined } },
        });
        flush();
        expect(deps.report.mock.calls.map(([message]) => message)).toEqual(reports);
      })();

    it('begins the page view anew, with the options it had', () => run('o', '6s r', 'p 4999ms i 999ms (yq)'));
    it('waits for the page to start the addon', () => run('3s o', 'r', '3s (pbq) 4995ms i'));
    it('gives up after 10 s', () => run('10001ms o', 'r', '10001ms p', ['Error after waiting for event web:ready']));
  });

  marble('lets go of everything when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const options$ = hot('  o           ', options);
    const activity$ = hot(' a           ');
    const evaluatedTransition$ = hot('-', transitions);
    const pageExit$ = hot('    --(gG)', leaves);
    const early = '         ^!';
    expectObservable(
      web.run(addonStreams({ activity$, evaluatedTransition$, pageExit$ }), options$, addonDeps()),
      early,
    ).toBe('p', drafts);
    for (const source$ of [options$, activity$, evaluatedTransition$, pageExit$])
      expectSubscriptions(source$.subscriptions).toBe(early);
  });
});
