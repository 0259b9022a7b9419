import { BehaviorSubject, NEVER, of } from 'rxjs';

import { googlePps } from '../../../src/addons/googleAdManager/googlePps';
import { addonDeps, addonStreams, tagDoor } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const pps = {
  IAB_AUDIENCE_1_1: { 7: '626', 8: '626', 10000001: '6' },
  IAB_CONTENT_2_2: { 9: '48' },
};
const cohortsOf = (...members: string[]) => ({ members, activations: {}, isRealtime: true });
const audience = (...values: string[]) => ({ pps: { taxonomies: { IAB_AUDIENCE_1_1: { values } } } });
const cleared = { pps: null };

/** Google's tag, and what it was told. */
const tag = (setConfig = jest.fn()) => ({ setConfig, door: tagDoor(of({ setConfig })) });

describe('google_pps', () => {
  marble('sets what the cohorts mean in each taxonomy, at each change', ({ hot, expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const cohorts$ = hot('a-b-c-d-e', {
      a: cohortsOf(),
      b: cohortsOf('8', '7', '10000001'),
      c: cohortsOf('7', '10000001', '5'),
      d: cohortsOf('9', '7'),
      e: cohortsOf('constructor'),
    });
    const streams = addonStreams({ cohorts$, ...door });
    expectObservable(googlePps.run(streams, new BehaviorSubject({}), addonDeps({ configured: { pps } }))).toBe('-');
    flush();
    expect(setConfig.mock.calls.flat()).toEqual([
      audience('6', '626'),
      {
        pps: { taxonomies: { IAB_AUDIENCE_1_1: { values: ['626'] }, IAB_CONTENT_2_2: { values: ['48'] } } },
      },
      cleared,
    ]);
  });

  marble('clears the signals when the visitor objects to sharing, and sets them again', (helpers) => {
    const { setConfig, door } = tag();
    const sharing$ = helpers.hot('t-f-t', { t: true, f: false });
    const streams = addonStreams({ cohorts$: of(cohortsOf('7')), sharing$, ...door });
    helpers
      .expectObservable(googlePps.run(streams, new BehaviorSubject({}), addonDeps({ configured: { pps } })), '-----')
      .toBe('-');
    helpers.flush();
    expect(setConfig.mock.calls.flat().slice(0, 3)).toEqual([audience('626'), cleared, audience('626')]);
  });

  marble('clears the signals when consent goes', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const streams = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('7')), ...door });
    const run$ = googlePps.run(streams, new BehaviorSubject({}), addonDeps({ configured: { pps } }));
    expectObservable(run$, '---!').toBe('-');
    flush();
    expect(setConfig.mock.calls.flat()).toEqual([audience('626'), cleared]);
  });

  marble('leaves the signals of the page alone where it has none', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const silent = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('7')), sharing$: of(false), ...door });
    const empty = addonStreams({ cohorts$: new BehaviorSubject(cohortsOf('5')), ...door });
    const start$ = new BehaviorSubject({});
    expectObservable(googlePps.run(silent, start$, addonDeps({ configured: { pps } })), '---!').toBe('-');
    expectObservable(googlePps.run(empty, start$, addonDeps({ configured: { pps } })), '---!').toBe('-');
    expectObservable(googlePps.run(empty, start$, addonDeps({ configured: { pps: 'none' } })), '---!').toBe('-');
    flush();
    expect(setConfig).not.toHaveBeenCalled();
  });

  marble('reports a tag that throws, and sets the next signals', ({ hot, expectObservable, flush }) => {
    const setConfig = jest.fn().mockImplementationOnce(() => {
      throw new Error('of the page');
    });
    const cohorts$ = hot('a-b', { a: cohortsOf('7'), b: cohortsOf('10000001') });
    const streams = addonStreams({ cohorts$, ...tag(setConfig).door });
    const deps = addonDeps({ configured: { pps } });
    expectObservable(googlePps.run(streams, new BehaviorSubject({}), deps)).toBe('-');
    flush();
    expect(deps.report.mock.calls.map(([message]) => message as unknown)).toEqual(['Google failed to set signals']);
    expect(setConfig).toHaveBeenLastCalledWith(audience('6'));
  });

  marble('asks for nothing where nobody starts it', ({ expectObservable, flush }) => {
    const { setConfig, door } = tag();
    const streams = addonStreams({ cohorts$: of(cohortsOf('7')), ...door });
    expectObservable(googlePps.run(streams, NEVER, addonDeps({ configured: { pps } }))).toBe('-');
    flush();
    expect(setConfig).not.toHaveBeenCalled();
  });
});
