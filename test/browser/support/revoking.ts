import { pause } from './pause';
import type { Stage } from './stage';
import { until } from './until';

/** What a page has done after it revoked consent, and what is left of us. */
interface Aftermath {
  readonly writes: readonly string[];
  readonly requests: readonly string[];
  readonly left: readonly string[];
  readonly cookies: string;
  readonly databases: number;
}

/** Opens a page that revokes consent so many ms after it began. */
const revokingAt = async (stage: Stage, ms: number): Promise<Aftermath> => {
  const visitor = await stage.visitor({ expected: /^Failed to load resource/ });
  await visitor.page.addInitScript((delay) => {
    const writes: string[] = [];
    let revokedAt: number | undefined;
    const note = (what: string): void => {
      if (revokedAt !== undefined && what !== 'local permutive-consent') writes.push(what);
    };
    const watch = (owner: object, name: string, what: (self: unknown, key: unknown) => string): void => {
      const original = (owner as Record<string, (...args: readonly unknown[]) => unknown>)[name]!;
      Object.assign(owner, {
        [name](this: unknown, ...args: readonly unknown[]) {
          note(what(this, args[0]));
          return original.call(this, ...args);
        },
      });
    };
    watch(
      Storage.prototype,
      'setItem',
      (self, key) => `${self === window.localStorage ? 'local' : 'session'} ${String(key)}`,
    );
    watch(IDBFactory.prototype, 'open', () => 'database');
    watch(window, 'fetch', (_, url) => `fetch ${String(url)}`);
    watch(Navigator.prototype, 'sendBeacon', (_, url) => `beacon ${String(url)}`);
    const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
    Object.defineProperty(document, 'cookie', {
      get: () => cookie.get!.call(document) as string,
      set: (text: string) => {
        if (!/expires=Thu, 01 Jan 1970|^permutive-consent=/.test(text)) note(`cookie ${text.split('=')[0]!}`);
        cookie.set!.call(document, text);
      },
    });
    const revoke = (): void => {
      const { permutive } = window as unknown as { permutive?: { consent: (answer: object) => void } };
      // The first lines of the page have to be there.
      if (permutive === undefined) return void setTimeout(revoke, 1);
      permutive.consent({ opt_in: false });
      revokedAt = performance.now();
    };
    setTimeout(revoke, delay);
    Object.assign(window, {
      aftermath: async () => ({
        writes,
        requests: performance
          .getEntriesByType('resource')
          .filter(
            ({ name, startTime }) =>
              revokedAt !== undefined &&
              startTime > revokedAt &&
              // The script itself, its main part, and what reads overrides of the address, before anything else.
              !/-web(?:\.(?:main|overrides)\.[\w-]{16})?\.js|\/assets\/|favicon/.test(name),
          )
          .map(({ name }) => name),
        left: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
        cookies: document.cookie.split('=')[0]!,
        databases: (await indexedDB.databases()).length,
      }),
      hasRevoked: () => revokedAt !== undefined,
    });
  }, ms);
  await visitor.open('/blank?gpt=none&__permutive.metricsSamplingPercentage=100', 'domcontentloaded');
  const { page } = visitor;
  await page.waitForFunction(() => (window as unknown as { hasRevoked: () => boolean }).hasRevoked());
  // Something happens that would be tracked.
  await page.mouse.move(20, 20);
  await page.evaluate(
    () => void (window as unknown as { permutive: { track: (name: string) => unknown } }).permutive.track('Refused'),
  );
  const aftermath = (): Promise<Aftermath> =>
    page.evaluate(() => (window as unknown as { aftermath: () => Promise<Aftermath> }).aftermath());
  // The script may still have to come, and what was being deleted takes a moment.
  await until(async () => {
    const { databases, left } = await aftermath();
    return databases === 0 && left.includes('permutive-consent') ? true : undefined;
  }, 'the refusal to be heard');
  await pause(400, 'what a page would write or ask after a refusal comes soon');
  return aftermath();
};

const nothingAfterwards: Aftermath = {
  writes: [],
  requests: [],
  left: ['permutive-consent'],
  cookies: 'permutive-consent',
  databases: 0,
};

/**
 * Visitors who revoke their consent so many ms after their pages began, while answers of the API are slow. Fails where
 * one of the pages does anything afterwards.
 */
export const expectRefusalIsLast = async (stage: Stage, moments: readonly number[]): Promise<void> => {
  await stage.fault({}, { delayMs: 150 });
  const seen = await Promise.all(moments.map((ms) => revokingAt(stage, ms)));
  expect(seen.map((aftermath, i) => [moments[i], aftermath])).toEqual(moments.map((ms) => [ms, nothingAfterwards]));
  expect((await stage.arrived()).map(({ name }) => name)).not.toContain('Refused');
  await stage.endVisits();
};
