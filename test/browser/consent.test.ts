import { letPass, withClock } from './support/clock';
import { pause } from './support/pause';
import { expectRefusalIsLast } from './support/revoking';
import { expectSilence } from './support/silence';
import { type Stage, stageForTests } from './support/stage';
import { until } from './support/until';
import { uuidV4, type Visitor } from './support/visitor';

const refusal = 'Permutive was not initialized. No consent to run on the page';
const given = { opt_in: true, token: 'CONSENT_CAPTURED' };

/** What is stored before the page's own scripts run. */
const withStored = (visitor: Visitor, record: string): Promise<unknown> =>
  visitor.page.addInitScript((text) => {
    if (localStorage.getItem('permutive-consent') === null) localStorage.setItem('permutive-consent', text);
  }, record);

/** Whose pages have a clock that the test may turn. */
const visitorWithClock = async (stage: Stage): Promise<Visitor> => {
  const visitor = await stage.visitor();
  await withClock(visitor.page);
  return visitor;
};

const nothingKept = async (visitor: Visitor): Promise<void> => {
  expect(Object.keys(await visitor.storage()).filter((key) => key !== 'permutive-consent')).toEqual([]);
  expect(await visitor.page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  expect(Object.keys(await visitor.cookies()).filter((name) => name !== 'permutive-consent')).toEqual([]);
  expect(await visitor.databases()).toEqual([]);
};

describe('Where consent is required and missing', () => {
  const stage = stageForTests();

  test('the SDK says so once, leaves no trace, and takes no answer for consent that is none', async () => {
    const visitor = await visitorWithClock(stage);
    await visitor.open('/blank?consent=required');
    await visitor.untilWarned(refusal);
    await expectSilence(visitor, stage);
    expect(await visitor.warnings()).toEqual([refusal]);
    expect(await visitor.storage()).toEqual({});
    await nothingKept(visitor);
    for (const answer of [{ opt_in: true, token: '' }, {}, { opt_in: 'true', token: 'x' }, undefined]) {
      await visitor.ask((permutive, given) => permutive.consent(given), answer);
      await letPass(visitor.page, 5000);
      expect([answer, visitor.asked.filter((address) => address.startsWith(stage.demo.api))]).toEqual([answer, []]);
    }
    await expectSilence(visitor, stage);
    await nothingKept(visitor);
  });

  test('consent that comes later starts it without a reload, takes what was tracked before, and holds for the next page', async () => {
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
    await stage.untilArrived('BeforeConsent');
    await stage.untilArrived('WithConsent');
    await stage.untilArrived('AfterConsent');
    await stage.untilArrived('SegmentEntry');
    expect(await stage.untilArrived('Pageview')).toHaveLength(1);
    expect(await stage.arrived('BeforeConsent')).toHaveLength(1);
    expect(JSON.parse((await visitor.storage())['permutive-consent'] ?? '')).toEqual(given);
    expect((await visitor.cookies())['permutive-id']).toMatch(uuidV4);
    await visitor.open('/blank?consent=required');
    const [first, second] = await stage.untilArrived('Pageview', 2);
    expect(second?.user_id).toBe(first?.user_id);
    expect(await visitor.warnings()).toEqual([refusal]);
  });

  test('the banner of a real page starts it, and nothing before', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/?consent=required');
    await visitor.untilWarned(refusal);
    expect(await stage.requests()).toEqual([]);
    await visitor.page.locator('[data-test="consent-accept"]').click();
    await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
  });
});

describe('A stored answer', () => {
  const stage = stageForTests();

  test('that refuses is respected where consent is not required', async () => {
    const visitor = await visitorWithClock(stage);
    await withStored(visitor, '{"opt_in":false}');
    await visitor.open('/blank');
    await expectSilence(visitor, stage);
    expect(await visitor.track('Refused')).toBeNull();
    await expectSilence(visitor, stage);
    await nothingKept(visitor);
  });

  test('that is no consent counts as revoked, however it is broken', async () => {
    const visitor = await visitorWithClock(stage);
    await visitor.open('/empty');
    for (const record of [
      '{"opt_in":true,"token":""}',
      '{"opt_in":true}',
      '{"opt_in":"yes","token":"x"}',
      'granted',
      '{"opt_in":true,"token":',
      '[]',
      'null',
      '{"opt_in":true,"token":7}',
    ]) {
      await visitor.page.evaluate((text) => localStorage.setItem('permutive-consent', text), record);
      await visitor.open('/blank');
      await letPass(visitor.page, 5000);
      const asked = visitor.asked.filter((address) => address.startsWith(stage.demo.api));
      expect([record, asked, Object.keys(await visitor.storage())]).toEqual([record, [], ['permutive-consent']]);
    }
    await expectSilence(visitor, stage);
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
    expect(await visitor.warnings()).toEqual([]);
  });
});

describe('A visitor who opts out, and is told so by an event of the page,', () => {
  const stage = stageForTests();

  const optedOut = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilEntered(20401);
    await stage.untilArrived('Pageview');
    // Something of every kind is there to go.
    await until(
      async () => ((await visitor.storage())['permutive-app'] === undefined ? undefined : true),
      'the app state',
    );
    expect(await visitor.databases()).toContain('permutive-store');
    await visitor.page.evaluate(() => localStorage.setItem('own-of-the-page', '1'));
    const heard = await visitor.ask(
      (permutive) =>
        new Promise<string>((resolve) => {
          permutive.on(/^consent-/, ({ name }) => resolve(name));
          permutive.consent({ opt_in: false });
        }),
    );
    expect(heard).toBe('consent-revoked');
    return visitor;
  };

  test('is forgotten, and no longer tracked, on this page or the next', async () => {
    const visitor = await optedOut();
    expect(await visitor.track('Refused')).toBeNull();
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'the database to go');
    await stage.untilIdle();
    const { 'permutive-consent': record, ...others } = await visitor.storage();
    expect(JSON.parse(record ?? '')).toMatchObject({ opt_in: false });
    expect(others).toEqual({ 'own-of-the-page': '1' });
    expect(Object.keys(await visitor.cookies())).toEqual(['permutive-consent']);
    const before = (await stage.requests()).length;
    visitor.asked.length = 0;
    expect(await visitor.track('Refused')).toBeNull();
    expect(await visitor.ask((permutive) => permutive.segments())).toEqual([]);
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(false);
    await visitor.page.mouse.move(50, 50);
    // From the engine that was running nothing may come either, and its clock is not the page's.
    await pause(500, 'an engine that still ran would tell of cohorts by then');
    await withClock(visitor.page);
    await visitor.open('/blank');
    await letPass(visitor.page, 60_000);
    await stage.untilIdle();
    expect(visitor.asked.filter((address) => address.startsWith(stage.demo.api))).toEqual([]);
    expect(await stage.requests()).toHaveLength(before);
    expect((await stage.arrived()).map(({ name }) => name)).not.toContain('Refused');
    expect((await stage.arrived()).map(({ name }) => name)).not.toContain('PageviewComplete');
    expect(Object.keys(await visitor.storage()).sort()).toEqual(['own-of-the-page', 'permutive-consent']);
    expect(Object.keys(await visitor.cookies())).toEqual(['permutive-consent']);
    expect(await visitor.databases()).toEqual([]);
  });

  test('and in again is somebody new, with a page view of their own', async () => {
    const visitor = await optedOut();
    const [first] = await stage.arrived('Pageview');
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
    const visitor = await visitorWithClock(stage);
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
    // The head has stored the answer, which leaves the queue.
    expect((await visitor.storage())['permutive-consent']).toBeDefined();
    expect(await visitor.ask((permutive) => permutive.q.map(({ functionName }) => functionName))).toEqual(['addon']);
    release();
    await visitor.page.waitForLoadState();
  };

  test('is heard before anything is written: a refusal leaves itself and nothing else', async () => {
    const visitor = await watched({ opt_in: false });
    await openHeld(visitor, '/blank');
    await expectSilence(visitor, stage);
    // The head stores the answer for a page that is left before the main part has come.
    expect(new Set((await written(visitor)).map(({ where, key }) => `${where} ${key}`))).toEqual(
      new Set(['local permutive-consent', 'cookie permutive-consent']),
    );
    await nothingKept(visitor);
  });

  test('is heard before anything is written: consent comes first', async () => {
    const visitor = await watched(given);
    await openHeld(visitor, '/blank?consent=required');
    await stage.untilArrived('Pageview');
    expect((await written(visitor))[0]).toEqual({ where: 'local', key: 'permutive-consent' });
    expect((await written(visitor)).map(({ where }) => where)).toContain('cookie');
    expect(await visitor.warnings()).toEqual([]);
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

  // A test of its own tries many more moments.
  test('in the first two seconds, with requests under way, is the last thing that happens', () =>
    expectRefusalIsLast(stage, [0, 50, 100, 200, 300, 450, 600, 800, 1200, 2000]));
});
