import { partFile, scriptName } from './support/bundleFile';
import { turnUntil, withClock } from './support/clock';
import { trackLast, untilStarted } from './support/entered';
import { needs } from './support/needs';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, scriptFile, type Visitor } from './support/visitor';

const batches = { path: '/batch/events' };
const numbers = (events: readonly { readonly properties: Readonly<Record<string, unknown>> }[]) =>
  events.map(({ properties }) => properties['i']);
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

describe('Delivery', () => {
  const stage = stageForTests();

  const openReady = async (path = '/blank'): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await withClock(visitor.page);
    await visitor.open(path);
    await untilStarted(stage, visitor);
    return visitor;
  };
  const trackMany = (visitor: Visitor, count: number, name = 'Many'): Promise<readonly string[]> =>
    visitor.ask(
      async (permutive, [event, times]) => {
        const tracked = Array.from({ length: times }, (_, i) => permutive.track(event, { i }));
        return (await Promise.all(tracked)).map((taken) => taken?.id ?? '');
      },
      [name, count] as const,
    );

  test('outlives a server that fails for a while', async () => {
    const visitor = await openReady();
    await stage.fault(batches, { status: 500 }, 2);
    const ids = await trackMany(visitor, 5);
    const arrived = await turnUntil(visitor.page, stage.untilArrived('Many', 5));
    expect(arrived.map(({ id }) => id)).toEqual(ids);
    const statuses = (await stage.requests('/batch/events')).map(({ status }) => status);
    expect(statuses.filter((status) => status === 500)).toHaveLength(2);
    await trackLast(stage, visitor);
    expect(await stage.duplicates()).toBe(0);
  });

  type Answer = 'none' | 'lost' | 'cut off';
  test.each<readonly [string, Answer]>([
    ['that breaks', 'none'],
    ['on which the answer is lost', 'lost'],
    ['on which the answer is cut off', 'cut off'],
  ])('outlives a connection %s: same id, counted once', async (_, answered) => {
    const visitor = await openReady();
    const before = visitor.batches.length;
    await visitor.page.route(
      '**/batch/events?**',
      async (route) => {
        if (answered === 'none') return route.abort('connectionreset');
        const answer = await route.fetch();
        if (answered === 'lost') return route.abort('connectionreset');
        const body = await answer.text();
        return route.fulfill({ response: answer, body: body.slice(0, body.length / 2) });
      },
      { times: 1 },
    );
    const ids = await trackMany(visitor, 3);
    await turnUntil(
      visitor.page,
      until(() => (visitor.batches.length >= before + 2 ? true : undefined), 'the second attempt'),
    );
    await stage.untilArrived('Many', 3);
    await trackLast(stage, visitor);
    const sent = visitor.batches.slice(before).map(({ events }) => events.filter(({ name }) => name === 'Many'));
    expect(sent.map((events) => events.map(({ id }) => id)).filter((each) => each.length > 0)).toEqual([ids, ids]);
    expect((await stage.arrived('Many')).map(({ id }) => id)).toEqual(ids);
    expect(await stage.duplicates()).toBe(answered === 'none' ? 0 : 3);
  });

  test('gives up on an answer that does not come, after the timeout of the config', async () => {
    const visitor = await openReady('/blank?__permutive.requestTimeout=1000');
    await stage.fault(batches, { hang: true }, 1);
    await trackMany(visitor, 2);
    await turnUntil(visitor.page, stage.untilArrived('Many', 2));
  });

  test('tells success when the event has arrived, not before', async () => {
    const visitor = await openReady();
    await stage.fault(batches, { status: 503 }, 1);
    const told = visitor.ask(
      (permutive) =>
        new Promise<string>(
          (resolve) =>
            void permutive.track('Told', {}, { success: ({ id }) => resolve(id), error: () => resolve('error') }),
        ),
    );
    const id = await turnUntil(visitor.page, told);
    expect((await stage.arrived('Told')).map((event) => event.id)).toEqual([id]);
  });

  test('costs an event that is refused, and no other of its batch', async () => {
    const visitor = await openReady();
    await visitor.page.route('**/batch/events?**', async (route) => {
      const events = JSON.parse(route.request().postData() ?? '[]') as { name: string }[];
      const answer = await route.fetch({ postData: JSON.stringify(events.filter(({ name }) => name !== 'Refused')) });
      const results = (await answer.json()) as unknown[];
      const all = events.map(({ name }) =>
        name === 'Refused' ? { code: 400, body: { error: 'not this one' } } : results.shift(),
      );
      await route.fulfill({ response: answer, body: JSON.stringify(all) });
    });
    const told = await visitor.ask(async (permutive) => {
      const outcome = (name: string): Promise<string> =>
        new Promise(
          (resolve) =>
            void permutive.track(
              name,
              {},
              { success: () => resolve('taken'), error: (errors) => resolve(JSON.stringify(errors)) },
            ),
        );
      return Promise.all([outcome('Before'), outcome('Refused'), outcome('After')]);
    });
    expect(told).toEqual(['taken', '["Failed to track Refused"]', 'taken']);
    await visitor.track('Later');
    await trackLast(stage, visitor);
    const sent = visitor.batches.flatMap(({ events }) => events.map(({ name }) => name));
    for (const name of ['Before', 'Refused', 'After', 'Later'])
      expect(sent.filter((each) => each === name)).toHaveLength(1);
  });

  test('finds the one event for which a server refuses the whole batch', async () => {
    const visitor = await openReady();
    await visitor.page.route('**/batch/events?**', async (route) => {
      if (route.request().postData()?.includes('"Poison"') === true)
        await route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, body: '{}' });
      else await route.continue();
    });
    await visitor.ask((permutive) => {
      for (let i = 0; i < 20; i += 1) void permutive.track(i === 7 ? 'Poison' : 'Many', { i });
    });
    const arrived = await stage.untilArrived('Many', 19);
    expect(numbers(arrived)).toEqual(range(20).filter((i) => i !== 7));
    await visitor.track('Later');
    await stage.untilArrived('Later');
  });

  test('waits as long as the server asks for', async () => {
    const visitor = await openReady();
    await stage.fault(batches, { status: 429, headers: { 'Retry-After': '2' } }, 1);
    await trackMany(visitor, 1);
    await stage.untilArrived('Many');
    const [asked, next] = (await stage.requests('/batch/events')).slice(-2);
    expect([asked?.status, next?.status]).toEqual([429, 200]);
    const waitedMs = Date.parse(next!.time) - Date.parse(asked!.time);
    // Not the second that it waits of its own accord, and up to 300 ms more than was asked for.
    expect(waitedMs).toBeGreaterThanOrEqual(1900);
  });

  test('waits for the network to come back', async () => {
    const visitor = await openReady();
    await visitor.context.setOffline(true);
    const ids = await trackMany(visitor, 4);
    await until(
      () => (visitor.batches.some(({ events }) => events.some(({ name }) => name === 'Many')) ? true : undefined),
      'the attempt without network',
    );
    expect(await stage.arrived('Many')).toEqual([]);
    await visitor.context.setOffline(false);
    expect((await stage.untilArrived('Many', 4)).map(({ id }) => id)).toEqual(ids);
  });

  test('takes at most a hundred events along at a time, in their order', async () => {
    const visitor = await openReady();
    const before = visitor.batches.length;
    const ids = await trackMany(visitor, 350);
    await stage.untilArrived('Many', 350);
    // The driver may tell of a request after its events have arrived.
    const sizes = await until(() => {
      const found = visitor.batches.slice(before).map(({ events }) => events.length);
      return found.reduce((sum, size) => sum + size, 0) >= 350 ? found : undefined;
    }, 'the requests');
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(350);
    expect((await stage.arrived('Many')).map(({ id }) => id)).toEqual(ids);
    expect(numbers(await stage.arrived('Many'))).toEqual(range(350));
    expect(await stage.duplicates()).toBe(0);
    expect(await stage.rejected()).toEqual([]);
  });

  test('takes at most half a megabyte along at a time', async () => {
    const visitor = await openReady();
    await visitor.ask((permutive) => {
      for (let i = 0; i < 30; i += 1) void permutive.track('Large', { i, text: 'ü'.repeat(20_000) });
    });
    const arrived = await stage.untilArrived('Large', 30);
    expect(new Set(arrived.map(({ properties }) => String(properties['text']).length))).toEqual(new Set([20_000]));
    for (const { bytes } of await stage.requests('/batch/events')) expect(bytes).toBeLessThanOrEqual(512 * 1024);
    expect(await stage.rejected()).toEqual([]);
  });
});

describe('An event of a page that is gone', () => {
  const stage = stageForTests();

  const withApiDown = async (): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.open('/blank');
    await untilStarted(stage, visitor);
    await stage.fault({}, { reset: true });
    return visitor;
  };
  const trackOne = (visitor: Visitor): Promise<string> =>
    visitor.track('LastWord', { i: 1 }).then((event) => event?.id ?? '');

  test('arrives with the next page: the tab was closed at once', async () => {
    const visitor = await withApiDown();
    const id = await trackOne(visitor);
    await visitor.page.close({ runBeforeUnload: true });
    await stage.clearFaults();
    const tab = await visitor.newTab();
    await tab.open('/blank');
    const [event] = await stage.untilArrived('LastWord');
    const [first, second] = await stage.untilArrived('Pageview', 2);
    expect(event).toMatchObject({
      id,
      user_id: first?.user_id,
      view_id: first?.view_id,
      properties: { i: 1, client: { url: `${stage.demo.site}/blank` } },
    });
    expect(event?.view_id).not.toBe(second?.view_id);
    expect(Date.parse(event!.time)).toBeLessThanOrEqual(Date.parse(second!.time));
    await stage.untilArrived('PageviewComplete');
  });

  test('arrives with the next page: the visitor went on at once', async () => {
    const visitor = await withApiDown();
    const id = await visitor.ask(async (permutive) => {
      const event = await permutive.track('LastWord');
      location.assign('/empty');
      return event?.id;
    });
    await visitor.page.waitForURL('**/empty');
    await stage.clearFaults();
    await visitor.open('/blank');
    expect(await stage.untilArrived('LastWord')).toMatchObject([{ id }]);
    await stage.untilArrived('PageviewComplete');
  });

  test('arrives with the next page: the tab crashed once it was accepted', async () => {
    const visitor = await withApiDown();
    const id = await trackOne(visitor);
    await visitor.crash();
    await stage.clearFaults();
    const tab = await visitor.newTab();
    await tab.open('/blank');
    expect(await stage.untilArrived('LastWord')).toMatchObject([{ id }]);
  });

  test('counts towards cohorts on the next page', async () => {
    const visitor = await withApiDown();
    await visitor.ask(async (permutive) => {
      await permutive.track('LoginStatus', { logged_in: true });
      location.assign('/empty');
    });
    await visitor.page.waitForURL('**/empty');
    await stage.clearFaults();
    await visitor.open('/blank');
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20417))) ? true : undefined),
      'the cohort of readers who are logged in',
    );
  });

  test('of two tabs arrives from both', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.open('/blank');
    const tab = await visitor.newTab();
    await tab.open('/blank');
    await Promise.all([visitor.ready(), tab.ready()]);
    await Promise.all([visitor.track('FromTheFirst'), tab.track('FromTheSecond')]);
    await stage.untilArrived('FromTheFirst');
    await stage.untilArrived('FromTheSecond');
    await Promise.all([trackLast(stage, visitor), trackLast(stage, tab)]);
    expect(await stage.duplicates()).toBe(0);
    expect(new Set((await stage.arrived()).map(({ user_id, session_id }) => `${user_id} ${session_id}`)).size).toBe(1);
    expect(await stage.arrived('Pageview')).toHaveLength(2);
  });
});

describe('A visitor who leaves early', () => {
  const stage = stageForTests();

  /** Opens a page that makes calls and leaves so. */
  const leave = async (visitor: Visitor, leaving: string): Promise<void> => {
    await visitor.page.route(
      scriptFile,
      async (route) => {
        const answer = await route.fetch();
        const calls = 'for (let i = 0; i < 5; i += 1) permutive.track("Queued", { i })';
        const headers = { ...answer.headers(), 'cache-control': 'no-store' };
        await route.fulfill({ response: answer, headers, body: `${calls};${await answer.text()};${leaving}` });
      },
      { times: 1 },
    );
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.page.waitForURL('**/empty');
  };

  test.each([0, 100, 200, 400])(
    '%i ms after the main part has come: the page view and the calls in the queue arrive',
    async (afterMs) => {
      const visitor = await stage.visitor();
      const hasCome = `window['webpackChunk${scriptName}'] !== undefined`;
      await leave(
        visitor,
        `const wait = () => setTimeout(${hasCome} ? () => location.assign('/empty') : wait, ${hasCome} ? ${afterMs} : 1);
         wait()`,
      );
      const queued = await stage.untilArrived('Queued', 5);
      expect(numbers(queued)).toEqual(range(5));
      expect(await stage.untilArrived('Pageview')).toHaveLength(1);
    },
  );

  test('before the main part has come: the page view and the calls in the queue arrive with the next page', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(partFile('main'));
    await leave(visitor, "location.assign('/empty')");
    release();
    await visitor.open('/blank');
    const queued = await stage.untilArrived('Queued', 5);
    expect(numbers(queued)).toEqual(range(5));
    expect(new Set(queued.map(({ user_id }) => user_id)).size).toBe(1);
    const views = await stage.untilArrived('Pageview', 2);
    expect(new Set(views.map(({ user_id }) => user_id))).toEqual(new Set(queued.map(({ user_id }) => user_id)));
    expect(views.filter(({ view_id }) => view_id === queued[0]?.view_id)).toHaveLength(1);
  });
});

describe('A visitor who leaves, with a browser that stores nothing', () => {
  const stage = stageForTests();

  const opened = async (path: string): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      for (const name of ['localStorage', 'indexedDB'])
        Object.defineProperty(window, name, {
          get() {
            throw new Error('denied');
          },
        });
    });
    await visitor.open(path);
    return visitor;
  };

  test('soon after they have consented: the page view arrives', async () => {
    const visitor = await opened('/blank?consent=required');
    await stage.fault({ path: '/geoip' }, { hang: true });
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 'given' }));
    await until(async () => (await visitor.cookies())['permutive-id'], 'the visit');
    await visitor.open('/empty');
    await stage.untilArrived('Pageview');
  });

  test('what the page tracks as it goes arrives', async () => {
    const visitor = await opened('/blank');
    await visitor.ready();
    await visitor.ask((permutive) => addEventListener('pagehide', () => void permutive.track('LastWord')));
    await visitor.open('/empty');
    await stage.untilArrived('LastWord');
  });
});

describe('A visitor who goes on by links', () => {
  const stage = stageForTests();

  needs('navigationEvents')('has their events sent once: less than 5 % arrive twice', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    for (let left = 1; left <= 6; left += 1) {
      await untilStarted(stage, visitor);
      // A server on the same machine would have answered before anything else could be.
      await visitor.page.route(
        `**/blank?${left}`,
        async (route) => {
          await stage.untilArrived('PageviewComplete', left);
          await pause(250, 'a server that is not on this machine takes its time to answer');
          await route.continue();
        },
        { times: 1 },
      );
      await visitor.page.evaluate((address) => {
        const link = Object.assign(document.createElement('a'), { href: address, textContent: 'on' });
        document.body.replaceChildren(link);
      }, `/blank?${left}`);
      await visitor.page.getByText('on').click();
      await visitor.page.waitForURL(`**/blank?${left}`);
    }
    await stage.untilArrived('Pageview', 7);
    await trackLast(stage, visitor);
    expect((await stage.arrived('PageviewComplete')).length).toBe(6);
    expect((await stage.duplicates()) / (await stage.arrived()).length).toBeLessThan(0.05);
  });
});
