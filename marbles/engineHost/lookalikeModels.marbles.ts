import { asyncScheduler, defer, map, mergeMap, of, throwError, timer } from 'rxjs';

import { encodeModels } from '../../project/encodeModels';
import { engineMetrics } from '../../src/engineHost/engineMetrics';
import { lookalikeModels } from '../../src/engineHost/lookalikeModels';
import { json } from '../../src/hardening/plainJson';
import { drawing } from '../../test/support/drawing';
import { noon } from '../../test/support/events';
import { keyValueStore } from '../../test/support/keyValueStore';
import { linesOf, reportMock } from '../../test/support/reports';
import { marble, marbles } from '../support/marbles';

const [old, fresh, other] = [
  '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  '7f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  '8f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
];
const weights = new Map([
  ['const', -3],
  ['101', 2],
]);
const binary = (): ArrayBuffer =>
  encodeModels([{ id: fresh, data_preference: '1p', weights }], { version: 2, precision: 12 });
const table = { const: -3, 101: 2 };
const key = 'permutive-data-models';
const storedAt = (time: number) => ({
  fetched_at: time,
  models: [{ version: 1, id: old, data_preference: '1p', precision: 1, min: 0, max: 1, weights: [['const', '0']] }],
});

interface World {
  /** Age of the stored models; absent where no model is stored. */
  readonly ageMs?: number;
  readonly stored?: unknown;
  readonly binary?: unknown;
  readonly json?: unknown;
}

const world = ({ ageMs, stored = ageMs === undefined ? null : storedAt(noon - ageMs), ...files }: World = {}) => {
  const store = keyValueStore(stored === null ? {} : { [key]: stored });
  const report = reportMock();
  const asked: string[] = [];
  const now = (): number => noon + asyncScheduler.now();
  const metrics = engineMetrics({ now, random: drawing(1) });
  const answers: Readonly<Record<string, unknown>> = {
    binaryModels: files.binary ?? binary(),
    jsonModels: files.json ?? { models: { [fresh]: { '1p': table } } },
  };
  const ask = (what: string, input: unknown) =>
    defer(() => {
      asked.push(`${what} ${(input as { readonly params: { readonly workspaceId: string } }).params.workspaceId}`);
      const answer = answers[what];
      return timer(4).pipe(mergeMap(() => (answer instanceof Error ? throwError(() => answer) : of(answer))));
    });
  const models$ = lookalikeModels('w', { ask, store, json, now, report, metrics });
  /** The letters of the models: o as stored, f as fetched; `!` where they are others than those that were stored. */
  const told$ = models$.pipe(
    map(({ models, areOthers }) => {
      const letters = models.map(({ id }) => (id === old ? 'o' : id === fresh ? 'f' : '?')).join('');
      return `${letters || '.'}${areOthers ? '!' : ''}`;
    }),
  );
  const letters$ = told$.pipe(map(([letter]) => letter));
  const messages = (): string[] => linesOf(report).map((line) => line.split(': ')[0]!);
  return {
    letters$,
    told$,
    asked,
    messages,
    metrics,
    report,
    stored: () => (store.texts.has(key) ? (JSON.parse(store.texts.get(key)!) as ReturnType<typeof storedAt>) : null),
  };
};

const day = 86_400_000;
const week = 604_800_000;

describe('lookalikeModels', () => {
  marble('are fetched where none are stored, and stored', ({ expectObservable, flush }) => {
    const { letters$, asked, stored, messages } = world();
    expectObservable(letters$).toBe('----(f|)');
    flush();
    expect([asked, messages()]).toEqual([['binaryModels w'], []]);
    expect(stored()).toMatchObject({ fetched_at: noon + 4, models: [{ id: fresh }] });
  });

  marble('are the stored ones alone for a day', ({ expectObservable, flush }) => {
    const { letters$, asked } = world({ ageMs: day - 1 });
    expectObservable(letters$).toBe('(o|)');
    flush();
    expect(asked).toEqual([]);
  });

  it.each([day, week - 1])('are the stored ones, and then new ones, at the age of %d ms', (ageMs) => {
    marbles(({ expectObservable, flush }) => {
      const { letters$, asked } = world({ ageMs });
      expectObservable(letters$).toBe('o---(f|)');
      flush();
      expect(asked).toEqual(['binaryModels w']);
    })();
  });

  marble('are not the stored ones any longer after a week', ({ expectObservable }) => {
    expectObservable(world({ ageMs: week }).letters$).toBe('----(f|)');
  });

  marble('survive their store and reading', ({ expectObservable, flush }) => {
    const first = world();
    expectObservable(first.letters$).toBe('----(f|)');
    flush();
    // At once: it is 4 ms by now.
    const second = world({ stored: first.stored() });
    expectObservable(second.letters$).toBe('----(f|)');
    flush();
    expect(second.asked).toEqual([]);
  });

  it.each(['{', '[]', { fetched_at: noon, models: [{}] }])(
    'are fetched where what is stored cannot be read: %j',
    (stored) => {
      marbles(({ expectObservable, flush }) => {
        const { letters$, messages } = world({ stored });
        expectObservable(letters$).toBe('----(f|)');
        flush();
        expect(messages()).toEqual(['Error fetching data from store']);
      })();
    },
  );

  it.each([
    ['missing', new Error('404')],
    ['broken', new ArrayBuffer(7)],
  ])('are taken from JSON where the binary file is %s, and that is counted', (_, file) => {
    marbles(({ expectObservable, flush }) => {
      const { letters$, asked, messages, metrics } = world({ binary: file });
      expectObservable(letters$).toBe('--------(f|)');
      flush();
      expect([asked, messages()]).toEqual([
        ['binaryModels w', 'jsonModels w'],
        ['Failed fetching binary models, reverting to JSON.'],
      ]);
      expect(metrics.take()).toEqual([
        { name: 'sdk_http_models_seconds', value: 0.004, labels: { format: 'binary' } },
        { name: 'sdk_models_missing_binary_count_total', value: 1, labels: {} },
        { name: 'sdk_http_models_seconds', value: 0.004, labels: { format: 'json' } },
      ]);
    })();
  });

  marble('are without the one of the JSON that has a bad weight', ({ expectObservable, flush }) => {
    const models = {
      [other]: { '1p': { const: -3, 101: 'x' } },
      [fresh]: { '1p': table, '3p': { const: null } },
      'no id': {},
    };
    const { letters$, report } = world({ binary: new Error('404'), json: { models } });
    expectObservable(letters$).toBe('--------(f|)');
    flush();
    expect(linesOf(report).slice(1)).toEqual([
      expect.stringContaining(`Query Language: Malformed lookalike model ${other}`),
      expect.stringContaining(`Query Language: Malformed lookalike model ${fresh}`),
      expect.stringContaining('Query Language: Malformed lookalike model no id'),
    ]);
  });

  it.each([
    ['missing', new Error('404')],
    ['broken', { models: [] }],
  ])('are none where the JSON is %s too', (_, file) => {
    marbles(({ expectObservable, flush }) => {
      const { letters$, messages, stored } = world({ binary: new Error('404'), json: file });
      expectObservable(letters$).toBe('--------(.|)');
      flush();
      expect(messages()).toEqual([
        'Failed fetching binary models, reverting to JSON.',
        'Failed fetching json models.',
        'Failed to refresh, using zero value.',
      ]);
      // Nothing is asked for again before the pause has ended.
      expect(stored()).toEqual({ fetched_at: 0, failed_at: noon + 8, models: [] });
    })();
  });

  it.each([
    ['0 ms', 0, false],
    ['599,999 ms', 599_999, false],
    ['600,000 ms', 600_000, true],
  ])('are asked for %s after a failure: %#', (_, sinceMs, isAsked) => {
    marbles(({ expectObservable, flush }) => {
      const { letters$, asked } = world({ stored: { fetched_at: 0, failed_at: noon - sinceMs, models: [] } });
      expectObservable(letters$).toBe(isAsked ? '----(f|)' : '(.|)');
      flush();
      expect(asked).toEqual(isAsked ? ['binaryModels w'] : []);
    })();
  });

  marble('stay the stored ones in that pause while they are valid', ({ expectObservable, flush }) => {
    const { letters$, asked } = world({ stored: { ...storedAt(noon - day), failed_at: noon - 1 } });
    expectObservable(letters$).toBe('(o|)');
    flush();
    expect(asked).toEqual([]);
  });

  marble('stay the stored ones while they are valid and no new ones can be had', ({ expectObservable, flush }) => {
    const { letters$, messages, stored } = world({ ageMs: day, binary: new Error('404'), json: new Error('404') });
    expectObservable(letters$).toBe('o-------|');
    flush();
    expect(messages()).toEqual(['Failed fetching binary models, reverting to JSON.', 'Failed fetching json models.']);
    expect(stored()).toMatchObject({ fetched_at: noon - day, failed_at: noon + 8, models: [{ id: old }] });
  });

  marble('are others where there were none', ({ expectObservable, flush }) => {
    const first = world();
    expectObservable(first.told$).toBe('----(f|)', { f: 'f!' });
    flush();
    // A day later the file is the same.
    const { told$ } = world({ stored: { ...first.stored(), fetched_at: noon - day } });
    // At once: it is 4 ms by now.
    expectObservable(told$).toBe('----f---(f|)', { f: 'f' });
  });

  marble('are others where the file has changed, be what was stored valid or not', ({ expectObservable }) => {
    expectObservable(world({ ageMs: day }).told$).toBe('o---(f|)', { o: 'o', f: 'f!' });
    expectObservable(world({ ageMs: week }).told$).toBe('----(f|)', { f: 'f!' });
  });

  marble('are no others where none could be had', ({ expectObservable }) => {
    const { told$ } = world({ binary: new Error('404'), json: new Error('404') });
    expectObservable(told$).toBe('--------(n|)', { n: '.' });
  });

  marble('are asked for no more when consent goes', ({ expectObservable, flush }) => {
    const { letters$, asked, stored } = world({ binary: new Error('404') });
    expectObservable(letters$, '^----!').toBe('-----');
    flush();
    expect([asked, stored()]).toEqual([['binaryModels w', 'jsonModels w'], null]);
  });
});
