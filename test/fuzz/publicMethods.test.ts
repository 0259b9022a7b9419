import * as fc from 'fast-check';

import { fuzzAsync, hostile } from './support/hostile';
import { openPage } from './support/stage';

/**
 * Right arguments of each method. `reset` and `consent` begin another visit: they have a test of their own.
 */
const valid = {
  addon: ['web', {}],
  track: ['Fuzzed', {}, { success: () => undefined }],
  trigger: [7, 'result', () => undefined],
  query: [7, 'result', () => undefined],
  segment: [7, () => undefined],
  segments: [() => undefined, 'all'],
  ready: [() => undefined, 'realtime'],
  explain: [7, () => undefined],
  on: ['Fuzzed', () => undefined],
  once: [/Fuzzed/, () => undefined],
  user: [() => undefined],
} satisfies Readonly<Record<string, readonly unknown[]>>;
const methods = Object.keys(valid) as readonly (keyof typeof valid)[];

/** A call that is right but for some of its arguments, or wrong in all. */
const calls = fc
  .constantFrom(...methods)
  .chain((method) =>
    fc
      .oneof(
        fc.array(hostile, { maxLength: 4 }),
        fc.tuple(
          ...valid[method].map((right) =>
            fc.oneof({ weight: 2, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: hostile }),
          ),
        ),
      )
      .map((args) => ({ method, args: args })),
  );
const perPage = 100;

const rejections: unknown[] = [];
const onRejection = (cause: unknown): void => void rejections.push(cause);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => void process.off('unhandledRejection', onRejection));
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('Public methods', () => {
  it(
    'neither throw nor reject, whatever they are given, and the next event is taken',
    fuzzAsync(
      fc.array(calls, { minLength: perPage, maxLength: perPage }),
      async (made) => {
        const page = openPage();
        for (const { method, args } of made) page.call(method, ...args);
        // What they listen for happens.
        page.call('track', 'Fuzzed');
        page.platform.engines[0]?.say({ type: 'changed', membership: { members: [], activations: {} } });
        page.platform.engines[0]?.say({ type: 'barrierReached', name: 'realtime' });
        page.expectWell();
        page.stop();
        await nextTask();
        expect(rejections.splice(0)).toEqual([]);
      },
      perPage,
    ),
  );

  it(
    'that begin another visit do not either',
    fuzzAsync(
      fc.array(
        fc.tuple(
          fc.constantFrom('consent', 'consent', 'consent', 'consent', 'reset'),
          fc.array(hostile, { maxLength: 3 }),
        ),
        { minLength: 10, maxLength: 10 },
      ),
      async (made) => {
        const page = openPage();
        for (const [method, args] of made) page.call(method, ...args);
        page.call('consent', { opt_in: true });
        page.expectWell();
        page.stop();
        await nextTask();
        expect(rejections.splice(0)).toEqual([]);
      },
      10,
    ),
  );

  it(
    'queued before the script has loaded do not either, and their neighbours are heard',
    fuzzAsync(
      fc.array(
        fc.oneof(
          hostile,
          calls.map(({ method, args }) => ({ functionName: method, arguments: args })),
          hostile.map((args) => ({ functionName: 'track', arguments: args })),
        ),
        { minLength: 50, maxLength: 50 },
      ),
      async (q) => {
        const page = openPage({ q: [...q, { functionName: 'track', arguments: ['Neighbour'] }] });
        expect(page.tracked()).toContain('Neighbour');
        page.expectWell();
        page.stop();
        await nextTask();
        expect(rejections.splice(0)).toEqual([]);
      },
      50,
    ),
  );
});
