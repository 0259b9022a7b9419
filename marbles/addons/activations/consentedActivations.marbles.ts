import { NEVER, type Observable } from 'rxjs';

import { consentedActivations, vendorOptions } from '../../../src/addons/activations/consentedActivations';
import type { Activation } from '../../../src/model/activation';
import type { Cohorts } from '../../../src/model/cohorts';
import type { Tcf } from '../../../src/model/tcf';
import { shareState } from '../../../src/operators/shareState';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, type MarbleHelpers, marbles } from '../../support/marbles';
import { tcfAnswer } from '../../support/tcfAnswer';

const activation = (id: string, tt: Activation['tt'], c: object = {}): Activation => ({
  id,
  short_id: id,
  sc: 7,
  tt,
  c: { ...c },
});
const own = activation('O', 'EveryTime');
const every = activation('E', 'EveryTime', { tcf_vendor_id: '76' });
const entry = activation('N', 'OnEntry', { tcf_vendor_id: 76 });
const exit = activation('X', 'OnExit', { tcf_vendor_id: 76 });
const acts = { O: own, E: every, N: entry, X: exit };

/** m: the visitor is in the cohort, on this page. */
const cohorts: Readonly<Record<string, Cohorts>> = { m: { members: ['7'], activations: {}, isRealtime: true } };
const transitions = { e: { id: '7', entry: true, time: 0 }, x: { id: '7', entry: false, time: 0 } };
const platform = (vendors: readonly number[], purposes: readonly number[]): Tcf =>
  tcfAnswer({
    vendorConsent: (id) => vendors.includes(id),
    purposeConsent: (purpose) => purposes.includes(purpose),
  });
/** n: no consent; y: for the vendor and its purposes; p: for the purposes alone; v: for the vendor alone. */
const tcf = {
  n: platform([], []),
  y: platform([76], [1, 3, 4]),
  p: platform([], [1, 3, 4]),
  v: platform([76], []),
};

interface Page {
  readonly transition?: string;
  readonly cohorts?: string;
  readonly view?: string;
  readonly tcf?: string;
  readonly sharing?: string;
}

const consentedOn = (
  { hot, state }: MarbleHelpers,
  page: Page,
  activations: readonly Activation[],
  purposes?: readonly number[],
): { readonly activation$: Observable<Activation>; readonly deps: ReturnType<typeof addonDeps> } => {
  const deps = addonDeps({ activations });
  const streams = addonStreams({
    transition$: hot(page.transition ?? '-', transitions),
    ...(page.cohorts !== undefined && { cohorts$: state(page.cohorts, cohorts) }),
    view$: state(page.view ?? 'v'),
    ...(page.tcf !== undefined && { tcf$: hot(page.tcf, tcf).pipe(shareState(NEVER)) }),
    sharing$: state(page.sharing ?? 'y', { y: true, n: false }),
  });
  const options = vendorOptions({ tcf_purposes: purposes }, (cause) => {
    throw cause as Error;
  });
  return { activation$: consentedActivations(streams, options, deps), deps };
};

describe('consentedActivations', () => {
  marble('does not wait with what is the publisher’s own', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', tcf: '-n', sharing: 'n' }, [own, every]);
    helpers.expectObservable(activation$).toBe('O', acts);
  });

  marble('waits for the consent for the vendor and its purposes', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', tcf: '-n-p-v-y-y' }, [every, own]);
    helpers.expectObservable(activation$).toBe('O------E', acts);
  });

  marble('keeps entries and exits until there is consent', (helpers) => {
    const page = { transition: '-e-x--------e', tcf: '-----n-y', view: 'v-w' };
    helpers.expectObservable(consentedOn(helpers, page, [entry, exit]).activation$).toBe('-------(NX)-N', acts);
  });

  marble('waits until the visitor’s data may be shared', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', tcf: '-y', sharing: 'n---y' }, [every]);
    helpers.expectObservable(activation$).toBe('----E', acts);
  });

  marble('acts once for several views that have waited, and again in each further view', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', view: 'v-w---x', tcf: '----y' }, [every]);
    helpers.expectObservable(activation$).toBe('----E-E', acts);
  });

  marble('needs no purpose where the options say so, and others where they name others', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', tcf: '-n-v' }, [every], []);
    helpers.expectObservable(activation$).toBe('---E', acts);
  });

  marble('needs the purposes of the options also for what is the publisher’s own', (helpers) => {
    const { activation$ } = consentedOn(helpers, { cohorts: 'm', tcf: '-n-p' }, [own], [1]);
    helpers.expectObservable(activation$).toBe('---O', acts);
  });

  describe('goes by the purposes that an activation names before those of the options', () => {
    const measured = { ...tcf, m: platform([76], [7]) };
    const named = (tcf_purposes: unknown): Activation =>
      activation('E', 'EveryTime', { tcf_vendor_id: 76, tcf_purposes });
    it.each<readonly [what: string, given: unknown, purposes: readonly number[] | undefined, expected: string]>([
      ['one', [7], undefined, '-----E'],
      ['one, where the options name others', [7], [1], '-----E'],
      ['none', [], undefined, '---E'],
      ['what is no purpose, which the build refuses', [12], [], '---E'],
      ['what is no list', 7, undefined, '-------E'],
    ])('%s', (_, given, purposes, expected) => {
      marbles(({ hot, state, expectObservable }) => {
        const wanted = named(given);
        const streams = addonStreams({
          cohorts$: state('m', cohorts),
          view$: state('v'),
          tcf$: hot('-n-v-m-y', measured).pipe(shareState(NEVER)),
        });
        const deps = addonDeps({ activations: [wanted] });
        expectObservable(consentedActivations(streams, { tcf_purposes: purposes }, deps)).toBe(expected, { E: wanted });
      })();
    });
  });

  marble('reports a vendor id that is no number, and leaves out that activation', (helpers) => {
    const wrong = activation('W', 'EveryTime', { tcf_vendor_id: 'harbour' });
    const { activation$, deps } = consentedOn(helpers, { cohorts: 'm', tcf: '-y' }, [wrong, own]);
    helpers.expectObservable(activation$).toBe('O', acts);
    helpers.flush();
    expect(deps.report.mock.calls).toEqual([
      ['Invalid tcf vendor ID', new Error('W: tcf_vendor_id: expected a number')],
    ]);
  });
});
