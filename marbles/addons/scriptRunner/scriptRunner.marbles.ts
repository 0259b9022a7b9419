import { NEVER } from 'rxjs';

import { scriptRunner } from '../../../src/addons/scriptRunner/scriptRunner';
import { type Activation, reaction } from '../../../src/model/activation';
import type { Cohorts } from '../../../src/model/cohorts';
import type { Transition } from '../../../src/model/engineCommands';
import type { Tcf } from '../../../src/model/tcf';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble } from '../../support/marbles';
import { tcfAnswer } from '../../support/tcfAnswer';

const activation = (id: string, sc: number | string, tt: Activation['tt']): Activation => ({
  id,
  short_id: id,
  sc,
  tt,
  c: { script: `run ${id}` },
});
const every = activation('E', 7, 'EveryTime');
const entry = activation('N', 8, 'OnEntry');
const exit = activation('X', 8, 'OnExit');
const named = activation('M', 'abc', 'OnEntry');
const drafts = {
  E: reaction(every, 'impression'),
  N: reaction(entry, 'impression'),
  X: reaction(exit, 'impression'),
  M: reaction(named, 'impression'),
};
/** m: own, a member of 7; l: the same of the last page. */
const cohorts: Readonly<Record<string, Cohorts>> = {
  m: { members: ['7'], activations: {}, isRealtime: true },
  l: { members: ['7'], activations: {}, isRealtime: false },
};
const transitions: Readonly<Record<string, Transition>> = {
  e: { id: '8', entry: true, time: 0 },
  x: { id: '8', entry: false, time: 0 },
  f: { id: 'abc', entry: true, time: 0 },
};
const depsOf = (activations: readonly Activation[], given: Parameters<typeof addonDeps>[0] = {}) =>
  addonDeps({ activations, readKey: () => [7, 8], ...given });

/** The addon starts without options. */
const started = { o: { tcf_purposes: undefined } };

describe('scriptrunner', () => {
  marble('runs a script when its trigger says, and tracks it', ({ hot, cold, flush, expectObservable }) => {
    const deps = depsOf([every, entry, exit], { readKey: (key) => (key === '_psegs' ? stored : null) });
    let stored = [7, 8];
    const transitionsSinceInit$ = hot('----e----x', transitions);
    const cohorts$ = cold('            l-m', cohorts);
    const expected = '                 --E-N----X';
    deps.runScript.mockImplementation((...[code]: unknown[]) => {
      if (code === 'run N') stored = [7];
      return true;
    });
    expectObservable(
      scriptRunner.run(addonStreams({ transitionsSinceInit$, cohorts$, view$: cold('v') }), hot('o', started), deps),
    ).toBe(expected, drafts);
    flush();
    expect(deps.runScript.mock.calls).toEqual([['run E'], ['run N'], ['run X']]);
  });

  marble(
    'looks at local storage at 50 ms, then twice as long each time, and runs it when the cohort is there',
    ({ cold, hot, expectObservable }) => {
      let answers = 0;
      const deps = depsOf([every], { readKey: () => ((answers += 1) > 4 ? [7] : []) });
      const expected = '750ms E'; // 50 + 100 + 200 + 400
      expectObservable(
        scriptRunner.run(addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v') }), hot('o', started), deps),
      ).toBe(expected, drafts);
    },
  );

  marble('runs it after 3150 ms whatever local storage says', ({ cold, hot, expectObservable }) => {
    const deps = depsOf([every], { readKey: () => null });
    expectObservable(
      scriptRunner.run(addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v') }), hot('o', started), deps),
    ).toBe('3150ms E', drafts);
  });

  marble(
    'does not wait for a cohort that has no number, which is not stored there',
    ({ cold, hot, expectObservable }) => {
      const deps = depsOf([named], { readKey: () => null });
      expectObservable(
        scriptRunner.run(addonStreams({ transitionsSinceInit$: cold('-f', transitions) }), hot('o', started), deps),
      ).toBe('-M', drafts);
    },
  );

  marble('started late, runs what the visit has led to so far', ({ cold, hot, expectObservable }) => {
    const deps = depsOf([entry]);
    expectObservable(
      scriptRunner.run(addonStreams({ transitionsSinceInit$: cold('e', transitions) }), hot('-----o', started), deps),
    ).toBe('-----N', drafts);
  });

  marble('started twice, runs a script once', ({ cold, hot, expectObservable }) => {
    expectObservable(
      scriptRunner.run(
        addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v') }),
        hot('o-o', started),
        depsOf([every]),
      ),
    ).toBe('E', drafts);
  });

  marble('waits for the consent for the vendor that a script names', ({ hot, cold, expectObservable }) => {
    const ofVendor = { ...entry, c: { ...entry.c, tcf_vendor_id: 76 } };
    const platform = (isGiven: boolean): Tcf =>
      tcfAnswer({ vendorConsent: (id) => isGiven && id === 76, purposeConsent: () => isGiven });
    const streams = addonStreams({
      transitionsSinceInit$: cold('e', transitions),
      tcf$: hot('--n--y', { n: platform(false), y: platform(true) }),
    });
    expectObservable(scriptRunner.run(streams, hot('o', started), depsOf([ofVendor]))).toBe('-----N', drafts);
  });

  marble('reports a script that throws, and runs the next', ({ hot, flush, expectObservable }) => {
    const deps = depsOf([entry, named]);
    const oops = new Error('oops');
    deps.runScript.mockImplementationOnce(() => {
      throw oops;
    });
    expectObservable(
      scriptRunner.run(addonStreams({ transitionsSinceInit$: hot('-e-f', transitions) }), hot('o', started), deps),
    ).toBe('---M', drafts);
    flush();
    expect(deps.report.mock.calls).toEqual([['Error running custom script', oops]]);
  });

  marble('stops after one report where the page’s policy refuses scripts', ({ hot, cold, flush, expectObservable }) => {
    const deps = depsOf([entry, every], { readKey: () => [8] });
    deps.runScript.mockReturnValue(false);
    const transitionsSinceInit$ = hot('-e-e', transitions);
    expectObservable(
      scriptRunner.run(
        addonStreams({ transitionsSinceInit$, cohorts$: cold('m', cohorts), view$: cold('v') }),
        hot('o', started),
        deps,
      ),
    ).toBe('-|');
    flush();
    expect(deps.report.mock.calls).toEqual([['Error running custom script', expect.any(Error)]]);
    expect(deps.runScript).toHaveBeenCalledTimes(1);
  });

  marble('runs nothing once it was stopped', ({ hot, cold, flush, expectObservable }) => {
    const deps = depsOf([every], { readKey: () => [] });
    const unsub = '1s !';
    expectObservable(
      scriptRunner.run(
        addonStreams({ cohorts$: cold('m', cohorts), view$: cold('v'), transitionsSinceInit$: NEVER }),
        hot('o', started),
        deps,
      ),
      unsub,
    ).toBe('-');
    flush();
    expect(deps.runScript).not.toHaveBeenCalled();
  });
});
