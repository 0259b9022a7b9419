import { asyncScheduler, NEVER, tap } from 'rxjs';

import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import type { AppStatePatch } from '../../src/visit/appState';
import { appStateStore, storedAppState } from '../../src/visit/appStateStore';
import { entryId } from '../../test/support/appState';
import { queuedOf } from '../../test/support/events';
import { settingsOf } from '../../test/support/settings';
import { marble } from '../support/marbles';

/** The visitor is in the cohort of that letter alone. */
const patches: Readonly<Record<string, AppStatePatch>> = {
  a: { cohorts: ['a'] },
  b: { cohorts: ['b'] },
  c: { cohorts: ['c'] },
  s: { cohorts: ['s'] },
  l: { cohorts: ['l'] },
};

/** The state as another tab has stored it. */
const otherTab = (id: string): string =>
  JSON.stringify({ eventPublication: { eventUpload: [[id, { event: queuedOf(id) }]] } });

const world = (config: Readonly<Record<string, unknown>> = {}, start: Readonly<Record<string, string>> = {}) => {
  const local = memoryStorage(start);
  const report = jest.fn();
  const parse = jest.fn(json.parse);
  const storage = { local, json, setting: settingsOf(config), report };
  const state = (): string => {
    const { cohorts, queue } = storedAppState(storage).read();
    return [...cohorts, ...queue.map(entryId)].join('');
  };
  const writes: (readonly [ms: number, state: string])[] = [];
  const recording = {
    ...storage,
    appState: storedAppState({ ...storage, json: { ...json, parse } }),
    local: {
      ...local,
      write: (key: string, text: string) => {
        const failure = local.write(key, text);
        writes.push([asyncScheduler.now(), state()]);
        return failure;
      },
    },
  };
  return { local, report, parse, deps: recording, writes };
};

describe('appStateStore', () => {
  marble('writes once quiet for 1000 ms', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a 499ms b 2s - ', patches);
    const { deps, writes } = world();
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([[1500, 'b']]);
  });

  marble('puts a write off for 1500 ms at most', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a 799ms b 599ms c 199ms s 5s - ', patches);
    const { deps, writes } = world();
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    // Marbles a and b stand at 0 and 800, c at 1400, s at 1600.
    expect(writes).toEqual([
      [1500, 'c'],
      [2600, 's'],
    ]);
  });

  marble('takes both times from the settings', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a-b-c-s------a ', patches);
    const { deps, writes } = world({ localStorageWriteDelay: 3, localStorageWriteMaxDelay: 5 });
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([
      [5, 'c'],
      [9, 's'],
      [16, 'a'],
    ]);
  });

  marble('writes at once where its key is not to be debounced', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a--(bc)--s- ', patches);
    const { deps, writes } = world({ localStorageDebouncedKeys: ['another-key'] });
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([
      [0, 'a'],
      [3, 'c'],
      [9, 's'],
    ]);
  });

  marble('debounces under a key of the page where that is listed', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a-b-------- ', patches);
    const { deps, writes } = world({ stateNamespace: 'site-app', localStorageDebouncedKeys: ['site-app'] });
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([[1002, 'b']]);
  });

  marble('writes what is pending at once when flushed, and not again', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a-b----------- ', patches);
    const flush$ = hot('   ----f--------- ');
    const { deps, writes } = world();
    expectObservable(appStateStore(patch$, NEVER, flush$, deps)).toBe('-');
    flush();
    expect(writes).toEqual([[4, 'b']]);
  });

  marble('writes nothing where nothing changed', ({ hot, expectObservable, flush }) => {
    const { deps, writes } = world();
    expectObservable(appStateStore(NEVER, NEVER, hot('f-f'), deps)).toBe('-');
    flush();
    expect(writes).toEqual([]);
  });

  marble('writes nothing where a change says what is stored', ({ hot, expectObservable, flush }) => {
    const urgent$ = hot('  u----------- ', { u: { upload: () => ({ pages: ['gone'], pause: null }) } });
    const patch$ = hot('   a 1999ms a - ', patches);
    const { deps, writes } = world({}, { 'permutive-app': otherTab('o') });
    expectObservable(appStateStore(patch$, urgent$, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([[1000, 'ao']]);
  });

  marble('writes a last patch as it comes', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a-------------- ', patches);
    const last$ = hot('    --l------------ ', patches);
    const { deps, writes } = world();
    expectObservable(appStateStore(patch$, last$, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([
      [2, 'l'],
      [1000, 'a'],
    ]);
  });

  marble(
    'changes what is stored at that moment, so that tabs do not undo each other',
    ({ cold, expectObservable, flush }) => {
      const { deps, writes, local } = world();
      const otherTab$ = cold('500ms w').pipe(tap(() => local.write('permutive-app', otherTab('o'))));
      expectObservable(otherTab$).toBe('500ms w');
      expectObservable(appStateStore(cold('a', patches), NEVER, NEVER, deps)).toBe('-');
      flush();
      expect(writes).toEqual([[1000, 'ao']]);
    },
  );

  marble('keeps what another tab has accepted through the saves that follow', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a 1999ms c 1999ms b 2s - ', patches);
    const { deps, writes } = world({}, { 'permutive-app': otherTab('o') });
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(writes).toEqual([
      [1000, 'ao'],
      [3000, 'co'],
      [5000, 'bo'],
    ]);
  });

  marble('parses what is stored only where it has not written it itself', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a 1999ms b 1999ms s 2s - ', patches);
    const { deps, parse } = world({}, { 'permutive-app': otherTab('o') });
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(parse).toHaveBeenCalledTimes(1);
  });

  marble('reports a write that fails, and writes the next one', ({ hot, expectObservable, flush }) => {
    const patch$ = hot('   a 1999ms b 2s - ', patches);
    const { deps, local, report } = world();
    local.failure = 'quota';
    expectObservable(appStateStore(patch$, NEVER, NEVER, deps)).toBe('-');
    flush();
    expect(report.mock.calls).toEqual(
      [1, 2].map(() => ['Permutive app state could not be stored', new Error('quota')]),
    );
  });

  marble('writes what is pending when its sources complete', ({ cold, expectObservable, flush }) => {
    const { deps, writes } = world();
    expectObservable(appStateStore(cold('-a-|', patches), cold('|'), NEVER, deps)).toBe('---|');
    flush();
    expect(writes).toEqual([[3, 'a']]);
  });

  marble('writes nothing of what is pending when an error comes', ({ cold, expectObservable, flush }) => {
    const { deps, writes } = world();
    expectObservable(appStateStore(cold('-a-#', patches), NEVER, NEVER, deps)).toBe('---#');
    flush();
    expect(writes).toEqual([]);
  });

  marble('writes nothing more once it is unsubscribed', ({ hot, expectObservable, expectSubscriptions, flush }) => {
    const patch$ = hot('   a-b------------', patches);
    const flush$ = hot('   -----f---------');
    const unsub = '        ^--!           ';
    const { deps, writes } = world();
    expectObservable(appStateStore(patch$, NEVER, flush$, deps), unsub).toBe('-');
    expectSubscriptions(patch$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
    flush();
    expect(writes).toEqual([]);
  });
});
