import { browserName } from './support/browserName';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { uuidV4, type Visitor } from './support/visitor';

jest.retryTimes(0);

const refusal = 'Permutive was not initialized. No consent to run on the page';
const given = { opt_in: true, token: 'CONSENT_CAPTURED' };

/** What is stored before the page's own scripts run. */
const withStored = (visitor: Visitor, record: string): Promise<unknown> =>
  visitor.page.addInitScript((text) => {
    if (localStorage.getItem('permutive-consent') === null) localStorage.setItem('permutive-consent', text);
  }, record);

const nothingKept = async (visitor: Visitor): Promise<void> => {
  expect(Object.keys(await visitor.storage()).filter((key) => key !== 'permutive-consent')).toEqual([]);
  expect(await visitor.page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  expect(Object.keys(await visitor.cookies()).filter((name) => name !== 'permutive-consent')).toEqual([]);
  expect(await visitor.databases()).toEqual([]);
};

describe('Where consent is required and missing', () => {
  const stage = stageForTests();

  test('the SDK says so once, and leaves no trace', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.untilWarned(refusal);
    await stage.untilQuiet();
    expect(visitor.warnings).toEqual([refusal]);
    expect(await stage.requests()).toEqual([]);
    expect(await visitor.storage()).toEqual({});
    await nothingKept(visitor);
  });

  test('consent that comes later starts it without a reload, and what was tracked before is dropped', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.untilWarned(refusal);
    await visitor.ask((permutive) => void permutive.track('BeforeConsent'));
    await visitor.ask((permutive, consent) => {
      permutive.consent(consent);
      void permutive.track('WithConsent');
    }, given);
    await visitor.ready();
    await visitor.track('AfterConsent');
    await stage.untilArrived('WithConsent');
    await stage.untilArrived('AfterConsent');
    await stage.untilArrived('SegmentEntry');
    expect(await stage.arrived('Pageview')).toHaveLength(1);
    expect(await stage.arrived('BeforeConsent')).toEqual([]);
    expect(JSON.parse((await visitor.storage())['permutive-consent'] ?? '')).toEqual(given);
    expect((await visitor.cookies())['permutive-id']).toMatch(uuidV4);
    expect(visitor.warnings).toEqual([refusal]);
  });

  test('the answer holds for the next page', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.ask((permutive, consent) => permutive.consent(consent), given);
    const [first] = await stage.untilArrived('Pageview');
    await visitor.open('/blank?consent=required');
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect(second?.user_id).toBe(first?.user_id);
    expect(visitor.warnings).toEqual([refusal]);
  });

  test('the banner of a real page starts it', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/?consent=required');
    await visitor.untilWarned(refusal);
    expect(await stage.requests()).toEqual([]);
    await visitor.page.locator('[data-test="consent-accept"]').click();
    await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
  });

  test.each([
    ['an empty token', { opt_in: true, token: '' }],
    ['no answer', {}],
    ['text in place of the answer', { opt_in: 'true', token: 'x' }],
    ['nothing', undefined],
  ])('%s is no consent', async (_, consent) => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.untilWarned(refusal);
    await visitor.ask((permutive, answer) => permutive.consent(answer), consent);
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
    await nothingKept(visitor);
  });
});

describe('A stored answer', () => {
  const stage = stageForTests();

  test('that refuses is respected where consent is not required', async () => {
    const visitor = await stage.visitor();
    await withStored(visitor, '{"opt_in":false}');
    await visitor.open('/blank');
    await stage.untilQuiet();
    expect(await visitor.track('Refused')).toBeNull();
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
    await nothingKept(visitor);
  });

  test.each([
    '{"opt_in":true,"token":""}',
    '{"opt_in":true}',
    '{"opt_in":"yes","token":"x"}',
    'granted',
    '{"opt_in":true,"token":',
    '[]',
    'null',
    '{"opt_in":true,"token":7}',
  ])('that reads %s counts as revoked', async (record) => {
    const visitor = await stage.visitor();
    await withStored(visitor, record);
    await visitor.open('/blank');
    await stage.untilQuiet(500);
    expect(await stage.requests()).toEqual([]);
    await nothingKept(visitor);
  });

  test('that is broken is mended by a new one', async () => {
    const visitor = await stage.visitor();
    await withStored(visitor, '{"opt_in":');
    await visitor.open('/blank');
    await visitor.ask((permutive, consent) => permutive.consent(consent), given);
    await stage.untilArrived('Pageview');
    expect(JSON.parse((await visitor.storage())['permutive-consent'] ?? '')).toEqual(given);
  });

  test('that agrees lets the SDK run where consent is required', async () => {
    const visitor = await stage.visitor();
    await withStored(visitor, JSON.stringify(given));
    await visitor.open('/blank?consent=required');
    await stage.untilArrived('Pageview');
    expect(visitor.warnings).toEqual([]);
  });
});

describe('A visitor who opts out', () => {
  const stage = stageForTests();

  const optedOut = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    // Something of every kind is there to go.
    await until(
      async () => ((await visitor.storage())['permutive-app'] === undefined ? undefined : true),
      'the app state',
    );
    expect(await visitor.databases()).toContain('permutive-store');
    await visitor.page.evaluate(() => localStorage.setItem('own-of-the-page', '1'));
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    return visitor;
  };

  test('is forgotten', async () => {
    const visitor = await optedOut();
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'the database to go');
    await stage.untilQuiet();
    const { 'permutive-consent': record, ...others } = await visitor.storage();
    expect(JSON.parse(record ?? '')).toMatchObject({ opt_in: false });
    expect(others).toEqual({ 'own-of-the-page': '1' });
    expect(Object.keys(await visitor.cookies())).toEqual(['permutive-consent']);
  });

  test('is no longer tracked, on this page or the next', async () => {
    const visitor = await optedOut();
    expect(await visitor.track('Refused')).toBeNull();
    await stage.untilQuiet();
    const before = (await stage.requests()).length;
    expect(await visitor.track('Refused')).toBeNull();
    expect(await visitor.ask((permutive) => permutive.segments())).toEqual([]);
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(false);
    await visitor.page.mouse.move(50, 50);
    await visitor.open('/blank');
    await stage.untilQuiet();
    expect(await stage.requests()).toHaveLength(before);
    expect((await stage.arrived()).map(({ name }) => name)).not.toContain('Refused');
    expect((await stage.arrived()).map(({ name }) => name)).not.toContain('PageviewComplete');
    expect(Object.keys(await visitor.storage()).sort()).toEqual(['own-of-the-page', 'permutive-consent']);
    expect(Object.keys(await visitor.cookies())).toEqual(['permutive-consent']);
    expect(await visitor.databases()).toEqual([]);
  });

  test('is told so by an event of the page', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    const heard = visitor.ask(
      (permutive) =>
        new Promise<string>((resolve) => {
          permutive.on(/^consent-/, ({ name }) => resolve(name));
          permutive.consent({ opt_in: false });
        }),
    );
    expect(await heard).toBe('consent-revoked');
  });

  test('and in again is somebody new, with a page view of their own', async () => {
    const visitor = await optedOut();
    const [first] = await stage.arrived('Pageview');
    await stage.untilQuiet();
    await visitor.ask((permutive, consent) => permutive.consent(consent), given);
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect(second?.user_id).toMatch(uuidV4);
    expect(second?.user_id).not.toBe(first?.user_id);
    expect(second?.session_id).not.toBe(first?.session_id);
    expect(second?.segments).not.toContain(20401);
    expect(await visitor.ask((permutive) => permutive.user())).toBe(second?.user_id);
    expect((await visitor.storage())['permutive-id']).toBe(second?.user_id);
    // The first user's page view does not count for the second.
    const entries = await until(async () => {
      const numbers = (await stage.arrived('SegmentEntry'))
        .filter(({ user_id }) => user_id === second?.user_id)
        .map(({ properties }) => properties['segment_number']);
      return numbers.includes(20401) ? numbers : undefined;
    }, 'the cohorts of the second user');
    expect(entries).not.toContain(20403);
  });
});

describe('An answer given before the script has loaded', () => {
  const stage = stageForTests();

  interface Written {
    readonly where: string;
    readonly key: string;
  }
  const watched = async (consent: object): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript((answer) => {
      const written: Written[] = [];
      Object.assign(window, { written });
      const watch = (owner: object, name: string, where: (self: unknown) => string): void => {
        const original = (owner as Record<string, (...args: readonly unknown[]) => unknown>)[name]!;
        Object.assign(owner, {
          [name](this: unknown, key: string, ...more: readonly unknown[]) {
            written.push({ where: where(this), key });
            return original.call(this, key, ...more);
          },
        });
      };
      watch(Storage.prototype, 'setItem', (self) => (self === window.localStorage ? 'local' : 'session'));
      watch(IDBFactory.prototype, 'open', () => 'database');
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
      Object.defineProperty(document, 'cookie', {
        get: () => cookie.get!.call(document) as string,
        set: (text: string) => {
          if (!text.includes('expires=Thu, 01 Jan 1970')) written.push({ where: 'cookie', key: text.split('=')[0]! });
          cookie.set!.call(document, text);
        },
      });
      document.addEventListener('DOMContentLoaded', () =>
        (window as unknown as { permutive: { consent: (consent: object) => void } }).permutive.consent(answer),
      );
    }, consent);
    return visitor;
  };
  const written = (visitor: Visitor): Promise<readonly Written[]> =>
    visitor.page.evaluate(() => (window as unknown as { written: Written[] }).written);

  const openHeld = async (visitor: Visitor, path: string): Promise<void> => {
    const release = await visitor.hold('**/*-web.js');
    await visitor.open(path, 'domcontentloaded');
    expect(await visitor.ask((permutive) => permutive.q.map(({ functionName }) => functionName))).toContain('consent');
    release();
    await visitor.page.waitForLoadState();
  };

  test('is heard before anything is written: a refusal leaves itself and nothing else', async () => {
    const visitor = await watched({ opt_in: false });
    await openHeld(visitor, '/blank');
    await stage.untilQuiet();
    expect(await written(visitor)).toEqual([
      { where: 'local', key: 'permutive-consent' },
      { where: 'cookie', key: 'permutive-consent' },
    ]);
    expect(await stage.requests()).toEqual([]);
    await nothingKept(visitor);
  });

  test('is heard before anything is written: consent comes first', async () => {
    const visitor = await watched(given);
    await openHeld(visitor, '/blank?consent=required');
    await stage.untilArrived('Pageview');
    expect((await written(visitor))[0]).toEqual({ where: 'local', key: 'permutive-consent' });
    expect((await written(visitor)).map(({ where }) => where)).toContain('cookie');
    expect(visitor.warnings).toEqual([]);
  });

  test('that has changed counts as it was last', async () => {
    const visitor = await watched({ opt_in: false });
    await visitor.page.addInitScript((consent) => {
      document.addEventListener('DOMContentLoaded', () =>
        (window as unknown as { permutive: { consent: (consent: object) => void } }).permutive.consent(consent),
      );
    }, given);
    await openHeld(visitor, '/blank?consent=required');
    await stage.untilArrived('Pageview');
  });
});

describe('Consent that is revoked', () => {
  const stage = stageForTests();

  /** What a page has done after it revoked consent, and what is left of us. */
  interface Aftermath {
    readonly writes: readonly string[];
    readonly requests: readonly string[];
    readonly left: readonly string[];
    readonly cookies: string;
    readonly databases: number;
  }

  /** Opens a page that revokes so many ms after it began. */
  const revokingAt = async (ms: number): Promise<Aftermath> => {
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
                // The script itself, and its part that reads what the address overrides, before anything else.
                !/-web(?:\.overrides)?\.js|\/assets\/|favicon/.test(name),
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
    await page.waitForTimeout(400);
    return aftermath();
  };

  // A visitor takes other browsers longer, so they try fewer moments, and fewer at a time.
  const [count, abreast] = browserName === 'chromium' ? [60, 15] : [20, 4];
  test(`at any of ${count} moments of the first 3 s, with requests under way, is the last thing that happens`, async () => {
    await stage.fault({}, { delayMs: 150 });
    const moments = Array.from({ length: count }, (_, i) => (i * 3000) / count);
    for (let i = 0; i < moments.length; i += abreast) {
      const now = moments.slice(i, i + abreast);
      const seen = await Promise.all(now.map(revokingAt));
      expect(seen.map((aftermath, j) => [now[j], aftermath])).toEqual(
        now.map((ms) => [
          ms,
          { writes: [], requests: [], left: ['permutive-consent'], cookies: 'permutive-consent', databases: 0 },
        ]),
      );
      expect((await stage.arrived()).map(({ name }) => name)).not.toContain('Refused');
      await stage.endVisits();
      await stage.fault({}, { delayMs: 150 });
    }
  }, 240_000);
});
