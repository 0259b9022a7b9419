import { letPass, withClock } from './support/clock';
import { needs } from './support/needs';
import { pause } from './support/pause';
import { callableMethods } from './support/permutive';
import { scriptBytes } from './support/scriptBytes';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilAnswered } from './support/untilAnswered';
import type { Visitor } from './support/visitor';

const sampled = '__permutive.metricsSamplingPercentage=100';
const given = { opt_in: true, token: 'CONSENT_CAPTURED' };

/** What a page of a visitor holds on to: counted from before the SDK's script runs. */
interface Held {
  readonly listeners: number;
  readonly intervals: number;
  readonly timeouts: number;
  readonly workers: number;
}

type Options = AddEventListenerOptions | boolean | null | undefined;

const counting = async ({ page }: Visitor): Promise<() => Promise<Held>> => {
  await page.addInitScript(() => {
    const listeners = new Set<string>();
    const ids = new WeakMap<object, number>();
    let next = 0;
    const id = (of: object): number => ids.get(of) ?? (ids.set(of, (next += 1)), next);
    const keyOf = (target: EventTarget, type: string, listener: unknown, options: Options): string =>
      `${id(target)} ${type} ${typeof listener === 'object' || typeof listener === 'function' ? id(listener as object) : 0} ${(typeof options === 'object' ? options?.capture : options) === true}`;
    // Listeners of what outlives a visit: others go with their target.
    const counts = (target: EventTarget): boolean => target === window || target === document;
    /* oxlint-disable typescript/unbound-method -- natives, called on what they belong to */
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? window;
      if (counts(target) && listener) listeners.add(keyOf(target, type, listener, options));
      addEventListener.call(target, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? window;
      if (counts(target) && listener) listeners.delete(keyOf(target, type, listener, options));
      removeEventListener.call(target, type, listener, options);
    };
    const [intervals, timeouts] = [new Set<unknown>(), new Set<unknown>()];
    const { setInterval, clearInterval, setTimeout, clearTimeout, Worker: RealWorker } = window;
    /* oxlint-enable typescript/unbound-method */
    Object.assign(window, {
      setInterval: (...args: Parameters<typeof setInterval>) => {
        const timer = setInterval(...args);
        intervals.add(timer);
        return timer;
      },
      clearInterval: (timer: number) => {
        intervals.delete(timer);
        clearInterval(timer);
      },
      setTimeout: (action: () => void, ms?: number, ...args: unknown[]) => {
        const timer: unknown = setTimeout(
          () => {
            timeouts.delete(timer);
            action();
          },
          ms,
          ...args,
        );
        timeouts.add(timer);
        return timer;
      },
      clearTimeout: (timer: number) => {
        timeouts.delete(timer);
        clearTimeout(timer);
      },
    });
    const workers = new Set<Worker>();
    window.Worker = class extends RealWorker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        workers.add(this);
      }
      override terminate(): void {
        workers.delete(this);
        super.terminate();
      }
    };
    Object.assign(window, {
      held: () => ({
        listeners: listeners.size,
        intervals: intervals.size,
        timeouts: timeouts.size,
        workers: workers.size,
      }),
    });
  });
  return () => page.evaluate(() => (window as unknown as { held: () => Held }).held());
};

const locks = ({ page }: Visitor): Promise<number> =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return held.length + pending.length;
  });

describe('Nothing leaks', () => {
  const stage = stageForTests();

  needs('quietDriver')(
    'when consent is given and revoked 50 times: no listener, timer, worker or lock more than after the first',
    async () => {
      const visitor = await stage.visitor();
      await withClock(visitor.page);
      const held = await counting(visitor);
      await visitor.open(`/blank?${sampled}`);
      await visitor.ready();
      await stage.untilArrived('SegmentEntry');
      const revoked = (): Promise<Held> => visitor.ask((permutive) => permutive.consent({ opt_in: false })).then(held);
      const wellRevoked = (): Promise<Held> =>
        until(async () => {
          // Some timers are long.
          await letPass(visitor.page, 5000);
          const now = await held();
          return now.timeouts === 0 && (await locks(visitor)) === 0 ? now : undefined;
        }, 'timers and locks to go');
      await revoked();
      const first = await wellRevoked();
      expect(first).toMatchObject({ intervals: 0, timeouts: 0, workers: 0 });
      for (let i = 0; i < 50; i += 1) {
        await visitor.ask((permutive, consent) => permutive.consent(consent), given);
        await pause((i * 7) % 120, 'each time at another moment of its start');
        expect([i, (await held()).workers]).toEqual([i, 1]);
        await revoked();
      }
      expect(await wellRevoked()).toEqual(first);
      await until(() => (visitor.page.workers().length === 0 ? true : undefined), 'the workers to end');
    },
  );

  needs('cdp')(
    'over 1,000 page views of one document',
    async () => {
      const visitor = await stage.visitor();
      const held = await counting(visitor);
      const devtools = await visitor.context.newCDPSession(visitor.page);
      const views = (count: number): Promise<void> =>
        visitor.ask(async (permutive, times) => {
          for (let i = 0; i < times; i += 1) {
            permutive.addon('web', { page: { i } });
            if (i % 20 === 0) await new Promise((drawn) => requestAnimationFrame(drawn));
          }
        }, count);
      const settled = async (pageviews: number, replayed: number): Promise<void> => {
        // Thousands of events are much to ask for again and again: the page is asked first.
        await untilAnswered(visitor.page);
        await stage.untilArrived('Pageview', pageviews);
        // The 1,000 events that `on` can replay are of one size each time.
        await visitor.ask((permutive) => {
          for (let i = 0; i < 1000; i += 1) void permutive.track('Replayed');
        });
        await untilAnswered(visitor.page);
        await stage.untilArrived('Replayed', replayed);
        await untilAnswered(visitor.page);
      };
      // What the engine has not saved yet is kept for some seconds.
      const levelBytes = async (): Promise<number> => {
        let latest = Number.POSITIVE_INFINITY;
        return until(
          async () => {
            const [bytes, previous] = [await scriptBytes(devtools), latest];
            latest = bytes;
            await pause(3000, 'longer than the engine waits before it saves');
            return bytes > previous - 20_000 ? bytes : undefined;
          },
          'what scripts hold to fall no more',
          90_000,
        );
      };
      await visitor.open(`/blank?${sampled}`);
      await visitor.ready();
      // What is made once is there by then.
      await views(700);
      await settled(701, 1000);
      const [before, bytes] = [await held(), await levelBytes()];
      await views(1000);
      await settled(1701, 2000);
      // Timers and listeners of what is under way come and go.
      const after = await until(async () => {
        const now = await held();
        return now.intervals <= before.intervals && now.listeners <= before.listeners ? now : undefined;
      }, 'timers and listeners to go');
      expect(after.workers).toBe(before.workers);
      // What each view leaves would be more than that.
      expect((await levelBytes()) - bytes).toBeLessThan(50_000);
    },
    300_000,
  );
});

describe('The page keeps what is its own', () => {
  const stage = stageForTests();

  test('no property of window, document, history, console or a prototype is added or changed', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const owners = (): readonly (readonly [string, object])[] => {
        const classes = Object.getOwnPropertyNames(window).flatMap((name): (readonly [string, object])[] => {
          const value: unknown = Object.getOwnPropertyDescriptor(window, name)?.value;
          if (typeof value !== 'function') return [];
          const prototype = (value as { readonly prototype?: object }).prototype;
          return [[name, value], ...(prototype ? [[`${name}.prototype`, prototype] as const] : [])];
        });
        return [
          ['window', window],
          ['document', document],
          ['history', history],
          ['console', console],
          ['navigator', navigator],
          ['JSON', JSON],
          ['Math', Math],
          ...classes,
        ];
      };
      const snapshot = (): Map<string, PropertyDescriptor> => {
        const found = new Map<string, PropertyDescriptor>();
        for (const [owner, object] of owners()) {
          for (const key of Reflect.ownKeys(object))
            found.set(`${owner}.${String(key)}`, Object.getOwnPropertyDescriptor(object, key)!);
        }
        return found;
      };
      // Values that live: they change on every page, or with each reading. And what drivers add.
      const lives =
        /^window\.(?:scroll|page|screen|inner|outer|event|name|status|length|\d+$)|^PerformanceObserver\.supportedEntryTypes$|^(?:window\.)?(?:__pw_bidi|__outcomes$|Symbol\(automationSessionProxy\)$)/;
      const before = snapshot();
      Object.assign(window, {
        changes: () => {
          const after = snapshot();
          const differs = (a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean =>
            a?.get !== b?.get ||
            a?.set !== b?.set ||
            a?.writable !== b?.writable ||
            a?.enumerable !== b?.enumerable ||
            a?.configurable !== b?.configurable ||
            !Object.is(a?.value, b?.value);
          return [...new Set([...before.keys(), ...after.keys()])].filter(
            (key) => !lives.test(key) && differs(before.get(key), after.get(key)),
          );
        },
      });
    });
    await visitor.open(`/blank?${sampled}`);
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.ask((permutive) => void permutive.track('wrong name!'));
    await visitor.page.mouse.click(5, 5);
    // Error reports, metrics and vitals are loaded by then.
    await until(
      async () =>
        (await stage.requests('/sdk-errors')).length > 0 && (await stage.requests('/internal/metrics')).length > 0
          ? true
          : undefined,
      'what the SDK says of itself',
    );
    const changes = await visitor.page.evaluate(() => (window as unknown as { changes: () => string[] }).changes());
    // The test's own, the publisher's tag and its ad server, and the lists that docs/configuration.md names: webpack's
    // of chunks, and those of the companion.
    const known =
      /^window\.(?:changes|permutive|googletag|apntag|_pbjsGlobals|webpackChunk[\w-]+)$|^(?:changes|googletag)\./;
    expect(changes.filter((name) => !known.test(name))).toEqual([]);
    expect(changes).toContain('window.permutive');
  });
});

describe('Public methods in a browser', () => {
  const stage = stageForTests();

  test('take 2,000 hostile calls without a throw, a rejection or a lost event', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    const result = await visitor.ask(
      async (permutive, methods) => {
        let seed = 20_400;
        // The same calls in each run.
        const random = (below: number): number => {
          seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
          return Math.floor((seed / 2 ** 32) * below);
        };
        const throwing = (): never => {
          throw new Error('Xq7Persona');
        };
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        const frame = document.createElement('iframe');
        document.body.append(frame);
        const values: readonly unknown[] = [
          undefined,
          null,
          0,
          -1,
          NaN,
          Infinity,
          2 ** 53,
          10n,
          '',
          'a',
          '__proto__',
          'Xq7Persona bob@mail.example',
          true,
          [],
          {},
          cycle,
          proxy,
          throwing,
          Symbol('s'),
          /x/g,
          new Date(NaN),
          new Map(),
          new Uint8Array(4),
          Object.create(null),
          JSON.parse('{"__proto__":{"polluted":1}}'),
          {
            get trap() {
              return throwing();
            },
          },
          new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing }),
          { toString: throwing, toJSON: throwing, then: throwing },
          document,
          window,
          document.body,
          frame.contentWindow,
          new Error('Xq7Persona'),
          Promise.resolve(1),
          'x'.repeat(10_000),
          Array.from({ length: 1000 }, (_, i) => i),
          class {
            x = 1;
          },
          new WeakMap(),
          { length: 1e9 },
        ];
        const table = permutive as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>;
        let [thrown, rejected] = [0, 0];
        for (let i = 0; i < 2000; i += 1) {
          const method = methods[random(methods.length)]!;
          try {
            const answer = table[method]?.(...Array.from({ length: random(5) }, () => values[random(values.length)]));
            if (answer instanceof Promise) answer.catch(() => (rejected += 1));
          } catch {
            thrown += 1;
          }
          if (i % 100 === 0) await new Promise((drawn) => requestAnimationFrame(drawn));
        }
        await permutive.track('Ordinary', { a: 1 });
        return { thrown, rejected, polluted: ({} as Record<string, unknown>)['polluted'] };
      },
      [...callableMethods, 'explain'],
    );
    expect(result).toEqual({ thrown: 0, rejected: 0, polluted: undefined });
    await stage.untilArrived('Ordinary');
    const reports = await until(async () => {
      const sent = await stage.requests('/sdk-errors');
      return sent.length > 0 ? sent : undefined;
    }, 'an error report');
    expect(JSON.stringify(reports)).not.toMatch(/Xq7Persona|bob@mail/);
  });
});
