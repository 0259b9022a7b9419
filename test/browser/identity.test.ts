import { browserName } from './support/browserName';
import { type ConsentPlatform, consentPlatform } from './support/consentPlatform';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import { failedRequests, scriptFile, uuidV4, type Visitor, type VisitorOptions } from './support/visitor';

interface Alias {
  readonly tag: string;
  readonly id: string;
  readonly priority: number;
}
interface Told {
  readonly user_id: string;
  readonly aliases: readonly Alias[];
}

const identifyPath = '/identify';
const debug = '/blank?permutive_debug=true';

/** The two addresses of what a page keeps of identities. */
const notes = async (visitor: Visitor): Promise<Record<string, { id: string; expiry: number; priority: number }>> => {
  const { 'permutive-data-misc': misc = '{}' } = await visitor.storage();
  return (
    (JSON.parse(misc) as { identities?: Record<string, { id: string; expiry: number; priority: number }> })
      .identities ?? {}
  );
};

interface IdentityManager {
  readonly prebid: { readonly onReady: (callback: (ids: object) => void) => void };
}

/** Ids for Prebid, once third parties have had their say. */
const prebidIds = (visitor: Visitor): Promise<object> =>
  visitor.ask(
    (permutive) =>
      new Promise<object>((resolve) => {
        permutive.addon('identity_manager');
        (permutive.addons['identity_manager'] as IdentityManager).prebid.onReady(resolve);
      }),
  );

describe('identify', () => {
  const stage = stageForTests();
  const told = async (): Promise<readonly Told[]> =>
    (await stage.requests(identifyPath)).map(({ body }) => JSON.parse(body ?? '') as Told);
  const arrive = async (path = '/blank', options: VisitorOptions = {}): Promise<Visitor> => {
    const visitor = await stage.visitor(options);
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };
  const identify = (visitor: Visitor, given: unknown): Promise<unknown> =>
    visitor.ask((permutive, identities) => permutive.identify(identities), given);

  test('tells the server who this is, with credentials, and keeps it for a day', async () => {
    const visitor = await arrive();
    const id = (await visitor.cookies())['permutive-id'];
    const before = Date.now();
    expect(
      await identify(visitor, [
        { tag: 'publisher_id', id: 'reader-1' },
        { tag: 'email', id: 'r@example.com', priority: 0 },
      ]),
    ).toBe(id);
    expect(await told()).toEqual([
      {
        user_id: id,
        aliases: [
          { tag: 'publisher_id', id: 'reader-1', priority: 0 },
          { tag: 'email', id: 'r@example.com', priority: 0 },
        ],
      },
    ]);
    expect(await stage.requests(identifyPath)).toMatchObject([
      { method: 'POST', path: '/v2.0/identify', contentType: 'text/plain', cookie: true, status: 200 },
    ]);
    expect((await stage.requests('/batch/events')).map(({ cookie }) => cookie)).not.toContain(true);

    const { publisher_id: kept, ...others } = await notes(visitor);
    expect([kept?.id, kept?.priority, others]).toEqual(['reader-1', 0, {}]);
    expect(kept?.expiry).toBeGreaterThanOrEqual(before + 86_400_000);

    // Known: nobody is asked, on this page and the next. What has expired is told again.
    await identify(visitor, [{ tag: 'publisher_id', id: 'reader-1' }]);
    await visitor.open('/blank');
    await visitor.ready();
    expect(await identify(visitor, [{ tag: 'publisher_id', id: 'reader-1' }])).toBe(id);
    expect(await told()).toHaveLength(1);
    await visitor.page.evaluate(() => {
      const misc = JSON.parse(localStorage.getItem('permutive-data-misc') ?? '') as {
        identities: { publisher_id: { expiry: number } };
      };
      misc.identities.publisher_id.expiry = Date.now();
      localStorage.setItem('permutive-data-misc', JSON.stringify(misc));
    });
    await visitor.open('/blank');
    await visitor.ready();
    await identify(visitor, [{ tag: 'publisher_id', id: 'reader-1' }]);
    expect(await told()).toHaveLength(2);
  });

  test('in a second browser leads to the same visitor; what was tracked before keeps its id', async () => {
    const first = await arrive();
    await identify(first, 'reader-2');
    const known = (await first.cookies())['permutive-id'] ?? '';

    const second = await stage.visitor();
    const release = await second.hold(`**${identifyPath}*`);
    await second.open('/blank');
    await second.ready();
    const own = (await second.cookies())['permutive-id'];
    await second.ask((permutive) => void Object.assign(window, { answered: permutive.identify('reader-2') }));
    await second.track('Before');
    release();
    expect(await second.page.evaluate(() => (window as unknown as { answered: unknown }).answered)).toBe(known);
    await second.track('After');

    const [before] = await stage.untilArrived('Before');
    const [after] = await stage.untilArrived('After');
    expect([own === known, before?.user_id, after?.user_id]).toEqual([false, own, known]);
    expect(await second.cookies()).toMatchObject({ 'permutive-id': known });
    expect(await second.storage()).toMatchObject({ 'permutive-id': known });
    expect(await second.ask(async (permutive) => [permutive.context.user_id, await permutive.user()])).toEqual([
      known,
      known,
    ]);
    // The other engine has what happened on this page, in a store of that visitor.
    await until(
      async () => (await second.ask((permutive) => permutive.segments())).length > 0 || undefined,
      'a cohort of the visitor in the second browser',
    );
    expect(await stage.duplicates()).toBe(0);
  });

  test('refuses what it cannot understand, and never throws', async () => {
    const visitor = await arrive(debug);
    const refusal = 'Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.';
    for (const wrong of ['', [], null, 7, { tag: 'a', id: '1', priority: 0 }, [{ tag: 'a', id: 1 }], ['a']]) {
      expect(await identify(visitor, wrong)).toBeNull();
    }
    expect((await visitor.warnings()).filter((warning) => warning.includes(refusal))).toHaveLength(7);
    expect(await identify(visitor, [{ tag: 'email_sha256', id: 'A'.repeat(64) }])).toBeNull();
    await visitor.untilWarned(
      'Identify called with unsupported format of email_sha256 ID. The support format is hex-encoded 64 character long lowercase string.',
    );
    expect(await identify(visitor, [{ tag: 'a', id: '1', priority: 'secret' }])).toBeNull();
    await visitor.untilWarned('0/priority: expected number');
    expect((await visitor.warnings()).join()).not.toContain('secret');
    expect(
      await identify(visitor, [
        { tag: 'a', id: '0' },
        { tag: 'old', id: '1', expiry: Date.now() },
      ]),
    ).toMatch(uuidV4);
    expect(await told()).toEqual([]);
  });

  test('that fails is reported and counts as nothing', async () => {
    const visitor = await arrive(debug, { expected: failedRequests });
    await stage.fault({ path: identifyPath }, { status: 503 }, 1);
    expect(await identify(visitor, 'reader-3')).toBe((await visitor.cookies())['permutive-id']);
    await visitor.untilWarned('Failed to identify');
    expect(await notes(visitor)).toEqual({});
    await identify(visitor, 'reader-3');
    expect([(await told()).length, Object.keys(await notes(visitor))]).toEqual([2, ['default']]);
  });

  test('queued by the tag comes first, before the queries are there', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => {
      void permutive.track('First');
      void permutive.identify('reader-4');
    });
    await visitor.hold(/-web\.worker\..*\.js$/);
    release();
    await until(async () => ((await told()).length > 0 ? true : undefined), 'identification without queries');
    expect(await told()).toMatchObject([{ aliases: [{ tag: 'default', id: 'reader-4', priority: 0 }] }]);
    // What was tracked does not wait for the queries either; it comes after the identification.
    const [first] = await stage.untilArrived('First');
    expect(first).toMatchObject({ user_id: (await visitor.cookies())['permutive-id'] });
  });

  test('is forgotten by a reset, whose promise waits for the new visitor’s engine', async () => {
    const visitor = await arrive();
    await identify(visitor, 'reader-5');
    const before = (await visitor.cookies())['permutive-id'];
    await visitor.ask((permutive) => permutive.reset());
    expect(await visitor.ask((permutive) => permutive.segments())).toBeInstanceOf(Array);
    const after = (await visitor.cookies())['permutive-id'];
    expect(after).toMatch(uuidV4);
    expect(after).not.toBe(before);
    expect(await notes(visitor)).toEqual({});
    expect(await stage.requests('/v2.0/reset')).toMatchObject([{ method: 'POST', body: '', status: 200 }]);
    await visitor.track('AsAnother');
    expect((await stage.untilArrived('AsAnother'))[0]?.user_id).toBe(after);
  });

  test('hands ids to Prebid, and takes them away with consent', async () => {
    const visitor = await arrive();
    await identify(visitor, [
      { tag: 'id5', id: 'five' },
      { tag: 'uid2', id: 'two', expiry: Date.now() + 60_000 },
      { tag: 'liveramp', id: 'ramp' },
      { tag: 'pairId', id: 'WyJhIl0=' },
    ]);
    expect(await prebidIds(visitor)).toEqual({
      id5id: { uid: 'five' },
      uid2: { id: 'two' },
      idl_env: 'ramp',
      pairId: 'WyJhIl0=',
    });
    const { providers } = JSON.parse((await visitor.storage())['permutive-prebid-id'] ?? '') as {
      providers: Record<string, { userId: unknown; expiryTime: number }>;
    };
    expect(Object.fromEntries(Object.entries(providers).map(([name, { userId }]) => [name, userId]))).toEqual({
      id5id: { uid: 'five' },
      uid2: { id: 'two' },
      idl_env: 'ramp',
      pairId: 'WyJhIl0=',
    });
    expect((providers['uid2']?.expiryTime ?? 0) - Date.now()).toBeLessThanOrEqual(60_000);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  });
});

describe('The tags and forms of the project', () => {
  const stage = stageForTests();
  const told = async (): Promise<readonly Told[]> =>
    (await stage.requests(identifyPath)).map(({ body }) => JSON.parse(body ?? '') as Told);

  test('keep a tag that it does not list from the server, and say so', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    await visitor.ask((permutive) =>
      permutive.identify([
        { tag: 'invented', id: '1' },
        { tag: 'crm', id: '2' },
      ]),
    );
    expect(await told()).toMatchObject([{ aliases: [{ tag: 'crm', id: '2', priority: 1 }] }]);
    await visitor.untilWarned('tag: expected one of identityTags of the project definition');
    expect((await visitor.warnings()).join()).not.toContain('invented');
  });

  needs('partnerIds')(
    'find a partner’s id without a place in the definition; that of AMP once it is ready',
    async () => {
      const visitor = await stage.visitor();
      const cookies = { sailthru_hid: 'hid-1', _ga: 'amp-1' };
      await visitor.context.addCookies(
        Object.entries(cookies).map(([name, value]) => ({ name, value, url: stage.demo.site })),
      );
      await visitor.open('/blank');
      await visitor.ready();
      await prebidIds(visitor);
      expect(await told()).toMatchObject([{ aliases: [{ tag: 'sailthru', id: 'hid-1', priority: 2 }] }]);

      await visitor.page.evaluate(() => {
        const stored = JSON.parse(localStorage.getItem('permutive-data-misc') ?? '{}') as object;
        localStorage.setItem('permutive-data-misc', JSON.stringify({ ...stored, amp_ready: true }));
      });
      await visitor.open('/blank');
      await visitor.ready();
      await prebidIds(visitor);
      expect((await told()).at(-1)).toMatchObject({ aliases: [{ tag: 'amp', id: 'amp-1', priority: 2 }] });
    },
  );
});

describe('An identity of a vendor of the consent framework', () => {
  const stage = stageForTests();
  const tagsTold = async (): Promise<readonly string[]> =>
    (await stage.requests(identifyPath)).flatMap(({ body }) =>
      (JSON.parse(body ?? '') as Told).aliases.map(({ tag }) => tag),
    );

  /** The trade desk (vendor 21) knows this visitor. */
  const known = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.context.addCookies([{ name: 'lp_tradedesk', value: 'td-1', url: stage.demo.site }]);
    return visitor;
  };
  const withPlatform = async (): Promise<readonly [Visitor, ConsentPlatform]> => {
    const visitor = await known();
    return [visitor, await consentPlatform(visitor, stage.demo.site)];
  };

  if (browserName === 'webkit')
    test('is not looked for in Safari', async () => {
      const visitor = await known();
      await visitor.open('/blank');
      await visitor.ready();
      await prebidIds(visitor);
      await untilSettled(stage, visitor);
      expect(await tagsTold()).toEqual([]);
      expect(await notes(visitor)).toEqual({});
    });

  needs('partnerIds')('is used where the page has no consent platform', async () => {
    const visitor = await known();
    await visitor.open('/blank');
    await visitor.ready();
    await prebidIds(visitor);
    expect(await tagsTold()).toEqual(['tradedesk']);
    expect((await notes(visitor))['tradedesk']).toMatchObject({ id: 'td-1', priority: 3 });
  });

  needs('partnerIds')(
    'waits for the visitor’s choice, and no longer hears the platform when consent goes',
    async () => {
      const [visitor, platform] = await withPlatform();
      await platform.withStub();
      await platform.open('/blank');
      await platform.start();
      await platform.showDialog();
      await until(async () => (await platform.listeners()) === 1 || undefined, 'a listener');
      expect(await tagsTold()).toEqual([]);
      await platform.answer([21, 755]);
      await visitor.ready();
      await prebidIds(visitor);
      expect(await tagsTold()).toEqual(['tradedesk']);
      await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
      expect(await platform.listeners()).toBe(0);
    },
  );

  needs('partnerIds').each([
    ['denied', [755]],
    ['beyond the highest one that has consent', [10]],
  ])('is not used when consent is %s', async (_, vendors) => {
    const [visitor, platform] = await withPlatform();
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer(vendors);
    await visitor.ready();
    await prebidIds(visitor);
    expect(await tagsTold()).toEqual([]);
  });

  needs('partnerIds')('is not used where purpose 1 is refused, though its vendor has consent', async () => {
    const [visitor, platform] = await withPlatform();
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer([21, 755], { purposes: [2, 3, 4] });
    await visitor.ready();
    await prebidIds(visitor);
    expect(await tagsTold()).toEqual([]);
  });

  needs('partnerIds')('is used where GDPR does not apply', async () => {
    const [visitor, platform] = await withPlatform();
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer(null);
    await visitor.ready();
    await prebidIds(visitor);
    expect(await tagsTold()).toEqual(['tradedesk']);
  });

  needs('partnerIds').each([
    ['before us', true],
    ['after us', false],
  ])('is used when the platform comes late, its stub %s', async (_, isEarly) => {
    const [visitor, platform] = await withPlatform();
    if (isEarly) await platform.withStub();
    await platform.open('/blank');
    await until(
      () => visitor.page.evaluate(() => Boolean(localStorage.getItem('permutive-id')) || undefined),
      'a visit',
    );
    if (!isEarly) await platform.addStub();
    await platform.start();
    await platform.answer([21]);
    await visitor.ready();
    await prebidIds(visitor);
    expect(await tagsTold()).toEqual(['tradedesk']);
  });
});
