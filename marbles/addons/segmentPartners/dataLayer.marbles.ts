import * as fc from 'fast-check';
import { filter, ignoreElements, map, type Observable } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../../../src/addons/addon';
import { dataLayer } from '../../../src/addons/segmentPartners/dataLayer';
import { type Activation, reaction } from '../../../src/model/activation';
import { law } from '../../../test/support/laws';
import { addonStreams } from '../../support/addonWorld';
import { marble, type MarbleHelpers, marbles } from '../../support/marbles';
import { activationOf, browserWith, cohorts, tcfs } from '../../support/partnerWorld';

const M = activationOf('M', 'EveryTime', { segment: 'money' });
const S = activationOf('S', 'EveryTime', {}, { sc: 8 });
/** M, S, B: the list has money, 8 or both; N: nothing; G: taken back. e, f: entries of both; x: the exit of money. */
const messages = {
  M: { event: 'permutive_cohorts', permutive_cohorts: ',money,' },
  S: { event: 'permutive_cohorts', permutive_cohorts: ',8,' },
  B: { event: 'permutive_cohorts', permutive_cohorts: ',money,8,' },
  N: { event: 'permutive_cohorts', permutive_cohorts: '' },
  G: { permutive_cohorts: '' },
  e: { event: 'permutive_cohort_entry', permutive_cohort: 'money' },
  f: { event: 'permutive_cohort_entry', permutive_cohort: '8' },
  x: { event: 'permutive_cohort_exit', permutive_cohort: 'money' },
};

interface Given {
  readonly streams: Partial<AddonStreams>;
  readonly activations?: readonly Activation[];
  readonly options?: object;
  readonly global?: AddonDeps['global'];
  readonly context?: AddonDeps['context'];
}

/** The addon on a page, where the data layer was told on earlier pages what `told` says. */
const started = (
  helpers: MarbleHelpers,
  { streams, activations = [M, S], options = {}, ...doors }: Given,
  told: Readonly<Record<string, string>> = { M: '7', S: '8' },
) => {
  const push = helpers.effect<[message: unknown]>();
  const page = new Map<string, unknown>([['dataLayer', { push }]]);
  const global = (name: string): unknown => page.get(name);
  const browser = browserWith({ activations, global, ...doors }, { 'addon:data_layer': told });
  const options$ = helpers.hot('o', { o: dataLayer.options(options, fail) });
  const world = addonStreams({ view$: helpers.state('v'), ...streams });
  const message$: Observable<unknown> = push.call$.pipe(map(([message]) => message));
  return { draft$: dataLayer.run(world, options$, browser.deps), message$, push, page, ...browser };
};
const fail = (cause: unknown): never => {
  throw cause as Error;
};

/** One rule of the list: its messages, on a page whose visit ends where `end` says. */
const lists = (name: string, expected: string, given: (helpers: MarbleHelpers) => Given, end?: string): void =>
  marble(name, (helpers) => {
    const { draft$, message$, deps } = started(helpers, given(helpers));
    const list$ = message$.pipe(filter((message) => Object.hasOwn(message as object, 'permutive_cohorts')));
    helpers.expectObservable(list$).toBe(expected, messages);
    helpers.expectObservable(draft$.pipe(ignoreElements()), end).toBe('');
    helpers.flush();
    expect(deps.report).not.toHaveBeenCalled();
  });

describe('the list of the data layer', () => {
  const streamsOf = (streams: Partial<AddonStreams>): Given => ({ streams });

  lists('is told once this page has evaluated the cohorts, and at each change', '--M--B--N', ({ state }) =>
    streamsOf({ cohorts$: state('l-m--b--n', cohorts) }),
  );

  lists('is told where the visitor is in none', '-N', ({ state }) => streamsOf({ cohorts$: state('ln', cohorts) }));

  lists('is told once where other cohorts change', '-M--B', ({ state }) =>
    streamsOf({
      cohorts$: state('lmo-b', { ...cohorts, o: { members: ['7', '9'], activations: {}, isRealtime: true } }),
    }),
  );

  lists('is told again in each further view', '-M--M', ({ state }) =>
    streamsOf({ cohorts$: state('lm', cohorts), view$: state('v---w') }),
  );

  lists(
    'is emptied without an event when the visit ends',
    '-M---G',
    ({ state }) => streamsOf({ cohorts$: state('lm', cohorts) }),
    '^----!',
  );

  lists(
    'is not emptied where it was never told, or is empty',
    '-',
    ({ state }) => streamsOf({ cohorts$: state('l', cohorts) }),
    '^----!',
  );

  lists('is emptied until the cohorts of another user are known', '-M-G--S', ({ state }) =>
    streamsOf({
      cohorts$: state('lm-u--s', {
        ...cohorts,
        u: { members: [], activations: {}, isRealtime: false },
        s: { members: ['8'], activations: {}, isRealtime: true },
      }),
    }),
  );

  lists('is emptied when the visitor objects to sharing, and told again once that is over', '-M-G--M', ({ state }) =>
    streamsOf({ cohorts$: state('lm', cohorts), sharing$: state('y--n--y').pipe(map((answer) => answer === 'y')) }),
  );

  lists('waits for the purposes 1, 3 and 4, and goes with them', '---M-G', ({ state, hot }) =>
    streamsOf({ cohorts$: state('lm', cohorts), tcf$: hot('-p-y-n', tcfs) }),
  );

  lists('is not told again where the consent platform repeats its answer', '--M', ({ state, hot }) =>
    streamsOf({ cohorts$: state('lm', cohorts), tcf$: hot('--y-y', tcfs) }),
  );

  lists('needs no purpose where the project says so', '-M', ({ state, hot }) => ({
    ...streamsOf({ cohorts$: state('lm', cohorts), tcf$: hot('n', tcfs) }),
    options: { tcf_purposes: [] },
  }));

  lists('has the segments alone whose own purposes are given', '-S--B', ({ state, hot }) => ({
    streams: { cohorts$: state('lb', cohorts), tcf$: hot('n---y', tcfs) },
    activations: [M, { ...S, c: { tcf_purposes: [] } }],
  }));

  lists('leaves out activations for exits, and those whose criteria do not hold', '-S', ({ state }) => ({
    streams: { cohorts$: state('lb', cohorts) },
    activations: [
      { ...M, id: 'X', tt: 'OnExit' },
      S,
      { ...M, cc: { operator: 'AND', criteria: [{ key: 'url', comparison: 'EQUALS', value: '/markets' }] } },
    ],
    context: () => ({ url: '/' }),
  }));

  lists('names a segment once', '-M', ({ state }) => ({
    streams: { cohorts$: state('lb', cohorts) },
    activations: [M, { ...S, c: { segment: 'money' } }],
  }));

  it(
    'has a segment between commas exactly where the visitor is in it',
    law(
      fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,3}$/), { maxLength: 8 }),
      fc.uniqueArray(fc.nat(7)),
      (names, chosen) => {
        marbles((helpers) => {
          const activations = names.map((segment, i) => activationOf(segment, 'OnEntry', { segment }, { sc: i }));
          const cohorts$ = helpers.state('m', {
            m: { members: chosen.map(String), activations: {}, isRealtime: true },
          });
          const { draft$, message$ } = started(helpers, { streams: { cohorts$ }, activations });
          const list: string[] = [];
          message$.subscribe((message) =>
            list.push((message as { permutive_cohorts?: string }).permutive_cohorts ?? ''),
          );
          draft$.subscribe();
          helpers.flush();
          for (const [i, name] of names.entries()) expect(list[0]?.includes(`,${name},`)).toBe(chosen.includes(i));
        })();
      },
    ),
  );
});

describe('the data layer', () => {
  marble('is told of each entry and exit once, after the list, over pages', (helpers) => {
    const given = { streams: { cohorts$: helpers.state('l-b----n', cohorts) } };
    const { draft$, message$, notes } = started(helpers, given, {});
    helpers
      .expectObservable(message$)
      .toBe('--(Bef)(Nxy)', { ...messages, y: { ...messages.x, permutive_cohort: '8' } });
    helpers
      .expectObservable(draft$)
      .toBe('--(MS)-(MS)', { M: reaction(M, 'impression'), S: reaction(S, 'impression') });
    helpers.flush();
    expect(notes.get('addon:data_layer')).toEqual({});
  });

  marble('is told of what its activations ask for', (helpers) => {
    const activations: readonly Activation[] = [
      { ...M, tt: 'OnExit' },
      { ...S, tt: 'OnEntry' },
    ];
    const { draft$, message$ } = started(
      helpers,
      { activations, streams: { cohorts$: helpers.state('b---n', cohorts) } },
      {},
    );
    helpers.expectObservable(message$).toBe('(Sf)(Nx)', messages);
    draft$.subscribe();
    helpers.flush();
  });

  marble('is waited for 204.75 s, with waits that double', (helpers) => {
    let looks = 0;
    const push = helpers.effect<[message: unknown]>();
    const { draft$ } = started(helpers, {
      activations: [M],
      streams: { cohorts$: helpers.state('m', cohorts) },
      global: () => ((looks += 1) >= 13 ? { push } : undefined),
    });
    helpers.expectObservable(push.call$.pipe(map(([message]) => message))).toBe('204750ms M', messages);
    draft$.subscribe();
    helpers.flush();
  });

  it.each([
    ['nothing', undefined],
    ['an element with that id', { nodeName: 'DIV' }],
    ['a text', 'dataLayer'],
    ['null', null],
  ])('is reported missing once, after 13 looks, where the page has %s', (_, found) => {
    marbles((helpers) => {
      const global = jest.fn(() => found);
      const { draft$, deps } = started(helpers, { streams: { cohorts$: helpers.state('m', cohorts) }, global });
      helpers.expectObservable(draft$).toBe('204750ms |');
      helpers.flush();
      expect(deps.report.mock.calls).toEqual([['Failed to reach data_layer', expect.any(Error)]]);
      expect(global).toHaveBeenCalledTimes(13);
      expect(deps.remember).not.toHaveBeenCalled();
    })();
  });

  marble('is not looked for without activations', (helpers) => {
    const global = jest.fn(() => undefined);
    const { draft$, deps } = started(helpers, { activations: [], streams: {}, global });
    draft$.subscribe();
    helpers.flush();
    expect([global.mock.calls, deps.report.mock.calls]).toEqual([[], []]);
  });

  marble('has the name that the page has given it', (helpers) => {
    const { draft$, message$, page, push } = started(helpers, {
      options: { data_layer_name: 'adobeDataLayer' },
      activations: [M],
      streams: { cohorts$: helpers.state('m', cohorts) },
    });
    page.clear();
    page.set('adobeDataLayer', { push });
    helpers.expectObservable(message$).toBe('M', messages);
    draft$.subscribe();
    helpers.flush();
  });

  marble('is looked up at each message, because a page may replace it', (helpers) => {
    const { draft$, message$, page } = started(helpers, {
      streams: { cohorts$: helpers.state('m---n-m---n', cohorts) },
      activations: [{ ...M, tt: 'OnEntry' }],
    });
    const other = helpers.effect<[message: unknown]>();
    helpers.schedule('-a-----b', { a: () => page.set('dataLayer', { push: other }), b: () => page.clear() });
    // Where nothing has taken its place, the data layer that was found is told.
    helpers.expectObservable(message$).toBe('M---------N', messages);
    helpers.expectObservable(other.call$.pipe(map(([message]) => message))).toBe('----N-(Me)', messages);
    draft$.subscribe();
    helpers.flush();
  });

  marble('costs one message where it throws', (helpers) => {
    const push = jest.fn(() => {
      throw new Error('theirs');
    });
    const { draft$, deps } = started(
      helpers,
      { streams: { cohorts$: helpers.state('m-n', cohorts) }, global: () => ({ push }) },
      {},
    );
    helpers.expectObservable(draft$).toBe('-');
    helpers.flush();
    // The list, an entry; the list, an exit.
    expect(push).toHaveBeenCalledTimes(4);
    const failure = ['Failed to tell data_layer of a segment', expect.any(Error)];
    expect(deps.report.mock.calls).toEqual([failure, failure, failure, failure]);
  });
});
