import { NEVER, type Observable, of } from 'rxjs';

import { secureSignalService } from '../../src/cohorts/secureSignal';
import { readNote, writeNote } from '../../src/model/notes';
import { pauseMs } from '../../src/primitives/duration';
import { noon, visitorId } from '../../test/support/events';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const realtime = { members: ['7', '10000001'], activations: {}, isRealtime: true };
const signalOf = (signal: string | null) => ({ type: 'secureSignal', signal });
const answered = (expires_in: number) => ({ signal: 'sealed', expires_in });

interface Provider {
  readonly id: string;
  readonly collectorFunction: () => Promise<string>;
}

/** A page whose SDK is asked for the signal at once, with a tag of Google that has an array of providers. */
const world = (helpers: Pick<MarbleHelpers, 'cold'>, answers: Readonly<Record<string, unknown>>) => {
  const { streams, deps, asked } = serviceWorld(helpers, { answers });
  const googletag: { cmd: object[]; secureSignalProviders?: Provider[] } = { cmd: [] };
  const started = {
    ...deps,
    page: { ...deps.page, global: (name: string): unknown => (name === 'googletag' ? googletag : undefined) },
    calls: { addon: (name: string): Observable<unknown> => (name === 'secure_signal' ? of({}) : NEVER) },
  };
  const providers = (): readonly Provider[] => googletag.secureSignalProviders ?? [];
  const bodies = () => asked.map(({ body }) => JSON.parse(body ?? 'null') as unknown);
  return { streams: { ...streams, cohorts$: of(realtime) }, deps: started, asked, bodies, providers };
};

describe('secureSignalService', () => {
  marble('asks once the steps before have ended', ({ hot, expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked, bodies } = world(helpers, { signal: answered(86_400) });
    expectObservable(secureSignalService(hot('5ms k'))(streams, deps)).toBe('15ms s', { s: signalOf('sealed') });
    flush();
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['POST', expect.stringMatching(/^https:\/\/secure-signals\.permutive\.app\/v1\/signal\?k=/)],
    ]);
    expect(bodies()).toEqual([{ user_id: visitorId, cohorts: ['7', '10000001'] }]);
  });

  marble('asks nothing where nobody starts it', ({ expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = world(helpers, { signal: answered(86_400) });
    expectObservable(secureSignalService(of(0))(streams, { ...deps, calls: { addon: () => NEVER } })).toBe('-');
    flush();
    expect(asked).toEqual([]);
  });

  marble('starts by itself where the project says so', ({ expectObservable, ...helpers }) => {
    const { streams, deps } = world(helpers, { signal: answered(86_400) });
    const project = { ...deps.project, startsSecureSignal: true };
    expectObservable(
      secureSignalService(of(0))(streams, { ...deps, project, calls: { addon: () => NEVER } }),
      '1s !',
    ).toBe('10ms s', { s: signalOf('sealed') });
  });

  marble('asks again when the signal has expired', ({ expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = world(helpers, { signal: answered(120) });
    // Answered at 10 ms, expired 120 s later.
    expectObservable(secureSignalService(of(0))(streams, deps), '121s !').toBe('10ms s', { s: signalOf('sealed') });
    flush();
    expect(asked).toHaveLength(2);
  });

  marble('uses the signal that an earlier page has kept', ({ expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = world(helpers, {});
    writeNote('secureSignal', { user: visitorId, signal: 'kept', end: noon + 3_600_000 }, deps);
    expectObservable(secureSignalService(NEVER)(streams, deps), '1s !').toBe('s', { s: signalOf('kept') });
    flush();
    expect(asked).toEqual([]);
  });

  for (const [name, kept] of [
    ['of another user', { user: 'another', signal: 'kept', end: noon + 3_600_000 }],
    ['that has expired', { user: visitorId, signal: 'kept', end: noon }],
    ['of another shape', { user: visitorId, signal: 7, end: 'tomorrow' }],
  ] as const)
    marble(`does not use a kept signal ${name}`, ({ expectObservable, ...helpers }) => {
      const { streams, deps } = world(helpers, { signal: answered(86_400) });
      writeNote('secureSignal', kept, deps);
      expectObservable(secureSignalService(of(0))(streams, deps), '1s !').toBe('10ms s', { s: signalOf('sealed') });
    });

  marble('reports a failed request, and asks again after the pause', ({ expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = world(helpers, {});
    expectObservable(secureSignalService(of(0))(streams, deps), `${pauseMs + 5}ms !`).toBe('10ms n', {
      n: signalOf(null),
    });
    flush();
    expect(asked).toHaveLength(1);
    expect(deps.report.mock.calls.map(([message]) => message)).toEqual(['Failed to fetch secure signal']);
  });

  marble('ends when the visitor objects to sharing', ({ hot, expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = world(helpers, { signal: answered(86_400) });
    const sharing$ = hot('f 49ms t 49ms f', { f: false, t: true });
    expectObservable(secureSignalService(of(0))({ ...streams, sharing$ }, deps), '1s !').toBe('n 59ms s 39ms n', {
      n: signalOf(null),
      s: signalOf('sealed'),
    });
    flush();
    expect(asked).toHaveLength(1);
  });

  marble('registers with the tag of Google once, also where the tag comes late', (helpers) => {
    const { streams, deps, providers } = world(helpers, { signal: answered(120) });
    let attempts = 0;
    const page = { ...deps.page, global: (name: string) => (++attempts > 5 ? deps.page.global(name) : undefined) };
    helpers.expectObservable(secureSignalService(of(0))(streams, { ...deps, page }), '500s !').toBe('10ms s', {
      s: signalOf('sealed'),
    });
    helpers.flush();
    expect(providers().map(({ id }) => id)).toEqual(['permutive.com']);
  });

  marble('registers nothing without a signal, and says so where there is no tag', (helpers) => {
    const failing = world(helpers, {});
    const tagless = world(helpers, { signal: answered(86_400) });
    const page = { ...tagless.deps.page, global: () => undefined };
    helpers.expectObservable(secureSignalService(of(0))(failing.streams, failing.deps), '5s !');
    helpers.expectObservable(secureSignalService(of(0))(tagless.streams, { ...tagless.deps, page }), '5s !');
    helpers.flush();
    expect(failing.providers()).toEqual([]);
    expect(tagless.deps.report.mock.calls.map(([message]) => message)).toEqual([
      'Failed to give the secure signal to Google',
    ]);
    expect(readNote('secureSignal', tagless.deps)).toMatchObject({ signal: 'sealed' });
  });

  it('gives the tag the signal of the moment, and an empty one after the visit', async () => {
    const { streams, deps, providers } = world({ cold: () => of() as never }, {});
    writeNote('secureSignal', { user: visitorId, signal: 'kept', end: deps.now() + 3_600_000 }, deps);
    const visit = secureSignalService(NEVER)(streams, deps).subscribe();
    await expect(providers()[0]?.collectorFunction()).resolves.toBe('kept');
    visit.unsubscribe();
    await expect(providers()[0]?.collectorFunction()).resolves.toBe('');
  });
});
