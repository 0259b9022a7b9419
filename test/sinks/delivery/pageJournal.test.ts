import { concatMap, delay, lastValueFrom, NEVER, type Observable, of, throwError, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/model/plainJson';
import type { Journal } from '../../../src/platform/platform';
import { pageJournal } from '../../../src/sinks/delivery/pageJournal';
import { recordsLeft } from '../../../src/sinks/delivery/recordsLeft';
import { uploadItemOf } from '../../../src/sinks/delivery/uploadItem';
import { queuedOf } from '../../support/events';
import { linesOf, reportMock } from '../../support/reports';

const itemOf = (id: string, flags = {}) => uploadItemOf(queuedOf(id, flags), 'page', json);
const items = (...ids: readonly string[]) => ids.map((id) => itemOf(id));
/* eslint-disable rxjs-x/no-ignored-default-value -- gathered in a list */
const idsOf = (taken: readonly (readonly { readonly id: string }[])[]): string =>
  taken.map((each) => each.map(({ id }) => id).join('')).join(' ');

const world = (stored: Readonly<Record<string, unknown>> = {}, given: Partial<Journal> = {}) => {
  const records = new Map(Object.entries(stored));
  const report = reportMock();
  const writes: string[] = [];
  const memory = memoryJournal(records);
  const journal: Journal = {
    ...memory,
    write: (changes) => {
      writes.push([...changes].map(([key, text]) => `${text === null ? '-' : '+'}${key}`).join(' '));
      return memory.write(changes);
    },
    ...given,
  };
  const own = pageJournal('page', { journal, report });
  const kept = { ...own, ...recordsLeft(own, { journal, json, report }) };
  const ids = (): Record<string, string> =>
    Object.fromEntries(
      [...records].map(([key, text]) => [
        key,
        (JSON.parse(String(text)) as { events: { id: string }[] }).events.map(({ id }) => id).join(''),
      ]),
    );
  return { kept, records, ids, writes, report: () => linesOf(report) };
};
const record = (...ids: readonly string[]): string =>
  JSON.stringify({ enrich: true, sdkProcessed: false, events: ids.map((id) => queuedOf(id)) });

describe('pageJournal', () => {
  it('puts what is accepted together into one record, a hundred at most', () => {
    const { kept, ids, writes } = world();
    kept.put(items('a', 'b')).subscribe();
    kept.put(items('c')).subscribe();
    kept.put(items(...Array.from({ length: 201 }, () => 'x').map((x, i) => `${x}${i}`))).subscribe();
    expect(ids()).toMatchObject({ 'page/1': 'ab', 'page/2': 'c', 'page/5': 'x200' });
    expect(writes).toEqual(['+page/1', '+page/2', '+page/3 +page/4 +page/5']);
  });

  it('keeps events apart that are treated differently', () => {
    const { kept, records } = world();
    kept
      .put([
        itemOf('a', { requiresEnrichment: true }),
        itemOf('b', { sdkProcessed: false }),
        itemOf('c', { sdkProcessed: false }),
      ])
      .subscribe();
    expect([...records.values()].map((text) => JSON.parse(String(text)) as object)).toMatchObject([
      { enrich: true, sdkProcessed: true, events: [{ id: 'a' }] },
      { enrich: false, sdkProcessed: false, events: [{ id: 'b' }, { id: 'c' }] },
    ]);
  });

  it('puts an event that is put again in place of its earlier form, in one step', () => {
    const { kept, ids, writes, records } = world();
    kept.put([itemOf('a', { requiresEnrichment: true }), itemOf('b', { requiresEnrichment: true })]).subscribe();
    kept.put(items('a')).subscribe();
    expect(ids()).toEqual({ 'page/1': 'b', 'page/2': 'a' });
    kept.put(items('b')).subscribe();
    expect(ids()).toEqual({ 'page/2': 'a', 'page/3': 'b' });
    expect(writes).toEqual(['+page/1', '+page/1 +page/2', '-page/1 +page/3']);
    kept.settle(['a', 'b']).subscribe();
    expect(records.size).toBe(0);
  });

  it('writes nothing for nothing', () => {
    const { kept, writes } = world();
    kept.put([]).subscribe();
    kept.settle(['unknown']).subscribe();
    expect(writes).toEqual([]);
  });

  it('removes a record with its last event, and puts it again with what remains', () => {
    const { kept, ids, writes } = world();
    kept.put(items('a', 'b', 'c')).subscribe();
    kept.put(items('d')).subscribe();
    kept.settle(['b', 'd']).subscribe();
    expect(ids()).toEqual({ 'page/1': 'ac' });
    kept.settle(['a', 'b', 'c']).subscribe();
    expect(ids()).toEqual({});
    expect(writes).toEqual(['+page/1', '+page/2', '+page/1 -page/2', '-page/1']);
  });

  it('knows whose events there are, and takes over those of one page', async () => {
    const { kept, ids } = world({
      'dead/1': record('a', 'b'),
      'live/1': record('c'),
      'dead/2': record('d'),
      '/1': record('e'),
    });
    await expect(lastValueFrom(kept.pages())).resolves.toEqual(['dead', 'live', '']);
    const taken = await lastValueFrom(kept.takeOver('dead').pipe(toArray()));
    expect(idsOf(taken)).toBe('ab d');
    expect(taken[0]?.[0]).toMatchObject({ page: 'dead', flags: { enrich: true, sdkProcessed: false } });
    kept.settle(['a', 'd']).subscribe();
    expect(ids()).toEqual({ 'dead/1': 'b', 'live/1': 'c', '/1': 'e' });
  });

  it('takes a record over once', async () => {
    const { kept } = world({ 'dead/1': record('a') });
    const twice$ = of(1, 2).pipe(
      concatMap(() => kept.takeOver('dead')),
      toArray(),
    );
    expect(idsOf(await lastValueFrom(twice$))).toBe('a');
  });

  it.each([
    undefined,
    null,
    7,
    {},
    '',
    '{',
    'null',
    '[]',
    '{"events":[]}',
    '{"enrich":1,"sdkProcessed":true,"events":[]}',
    '{"enrich":true,"sdkProcessed":true,"events":[]}',
  ])('removes a record of %j', async (broken) => {
    const { kept, records } = world({ 'dead/1': broken, 'dead/2': record('a') });
    expect(idsOf(await lastValueFrom(kept.takeOver('dead').pipe(toArray())))).toBe('a');
    expect([...records.keys()]).toEqual(['dead/2']);
  });

  it('loses a broken event and none beside it, and says where it is broken', async () => {
    const broken = JSON.stringify({
      enrich: true,
      sdkProcessed: true,
      events: [queuedOf('a'), { ...queuedOf('b'), name: 7 }, null, queuedOf('c')],
    });
    const { kept, report } = world({ 'dead/1': broken });
    expect(idsOf(await lastValueFrom(kept.takeOver('dead').pipe(toArray())))).toBe('ac');
    expect(report()).toEqual([
      'Events journal has an invalid record: name: expected string',
      expect.stringContaining('Events journal has an invalid record: '),
    ]);
  });
});

describe('pageJournal, where the browser', () => {
  const play = (given: Partial<Journal>, at: (kept: ReturnType<typeof world>['kept'], told: string[]) => void) => {
    const told: string[] = [];
    const stage = world({}, given);
    new TestScheduler(() => undefined).run(({ flush }) => {
      at(stage.kept, told);
      flush();
    });
    return { told, report: stage.report() };
  };
  const use = (kept: ReturnType<typeof world>['kept'], told: string[]): void => {
    for (const [name, each$] of Object.entries<Observable<unknown>>({
      put: kept.put(items('a')),
      pages: kept.pages(),
      takeOver: kept.takeOver('dead'),
    })) {
      each$.subscribe({
        next: () => told.push(`${name} next`),
        error: () => told.push(`${name} error`),
        complete: () => told.push(`${name} done`),
      });
    }
  };

  it.each([
    ['fails', { write: () => throwError(() => new Error('no')), keys: () => throwError(() => new Error('no')) }, 'no'],
    ['hangs', { write: () => NEVER, keys: () => NEVER }, 'Timeout has occurred'],
  ])('%s: completes, and that is said once', (_, given, reason) => {
    const { told, report } = play(given, use);
    expect([...told].sort()).toEqual(['pages done', 'put done', 'takeOver done']);
    expect(report).toEqual([`Events journal is not available: ${reason}`]);
  });

  it.each([
    [1999, []],
    [2001, ['Events journal is not available: Timeout has occurred']],
  ])('answers after %i ms', (ms, expected) => {
    const { report } = play(
      { write: () => of(undefined).pipe(delay(ms)) },
      (kept) => void kept.put(items('a')).subscribe(),
    );
    expect(report).toEqual(expected);
  });
});
