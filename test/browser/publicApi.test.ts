import { project } from '../../demo/project/project';
import { trackLast } from './support/entered';
import { untilMember } from './support/membership';
import type { PageEvent, Permutive } from './support/permutive';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, scriptFile, uuid, uuidV4, type Visitor } from './support/visitor';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const loggedIn = 20417;

/** What the page has put on its list `log`. */
const logOf = (visitor: Visitor): Promise<readonly unknown[]> =>
  visitor.page.evaluate(() => (window as unknown as { log: unknown[] }).log);
const withLog = (visitor: Visitor): Promise<unknown> =>
  visitor.page.addInitScript(() => Object.assign(window, { log: [] }));
/** Waits until the page has put this on its list. */
const untilLogged = (visitor: Visitor, entry: string): Promise<true> =>
  until(async () => (await logOf(visitor)).includes(entry) || undefined, `“${entry}” in the page’s log`);

describe('Calls made before the script has loaded', () => {
  const stage = stageForTests();

  /** Opens a page whose queue is what `calls` leaves there. */
  const openWith = async (calls: (permutive: Permutive) => void, path = '/blank'): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await withLog(visitor);
    const release = await visitor.hold(scriptFile);
    await visitor.open(path, 'domcontentloaded');
    await visitor.ask((permutive) => void (permutive.q.length = 0));
    await visitor.ask(calls);
    release();
    await visitor.ready();
    return visitor;
  };

  test('are replayed addons first, then events, then the rest as they came, with triggers before the first event', async () => {
    const visitor = await openWith((permutive) => {
      const { log } = window as unknown as { log: string[] };
      const told = <A extends object>(name: string, value: A): A =>
        Object.defineProperty(value, 'told', { enumerable: true, get: () => void log.push(name) });
      void permutive.segments(() => log.push('segments'));
      void permutive.track('Queued', told('track', {}));
      permutive.query(20401, 'result', () => log.push('query'));
      permutive.addon('web', told('addon', {}));
      permutive.trigger(20401, 'result', ({ result }) => log.push(`trigger ${String(result)}`));
    });
    await untilLogged(visitor, 'trigger true');
    const log = [...new Set(await logOf(visitor))];
    expect(log.filter((entry) => entry !== 'trigger true')).toEqual(['addon', 'track', 'segments', 'query']);
    // The first Pageview waits for the fields that queries read, so it may be heard later.
    const [queued] = await stage.untilArrived('Queued');
    const [view] = await stage.untilArrived('Pageview');
    expect(Date.parse(view!.time)).toBeLessThanOrEqual(Date.parse(queued!.time));
  });

  test('that nobody knows do not stop the ones that follow: listeners hear, and a stub that the page has kept counts', async () => {
    const visitor = await openWith((permutive) => {
      const { log } = window as unknown as { log: string[] };
      permutive.on('Pageview', ({ name }) => log.push(`on ${name}`));
      permutive.once(/^Page/, ({ name }) => log.push(`once ${name}`));
      permutive.q.push({ functionName: 'readyWithTimeout', arguments: [] });
      permutive.addon('nobody', {});
      permutive.addon('web', {});
      void permutive.track('AfterTheUnknown');
      Object.assign(window, { kept: permutive.track });
    }, '/blank?permutive_debug=true');
    await untilLogged(visitor, 'once Pageview');
    expect(await logOf(visitor)).toEqual(['on Pageview', 'once Pageview']);
    await stage.untilArrived('AfterTheUnknown');
    expect(await visitor.warnings()).toContainEqual(
      expect.stringMatching(/Function permutive\.readyWithTimeout caused an error.*Does not exist/),
    );
    expect(await visitor.warnings()).toContainEqual(expect.stringContaining('Does not exist'));
    await visitor.page.evaluate(() => (window as unknown as { kept: Permutive['track'] }).kept('ByTheStub', { n: 1 }));
    expect((await stage.untilArrived('ByTheStub'))[0]?.properties['n']).toBe(1);
  });

  test('that the stubs of a second, older tag queue after the load are made', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.page.evaluate(() => {
      // Tags of old had no guard.
      const tag = ((window as unknown as { permutive?: Record<string, unknown> }).permutive ??= {});
      const queue: unknown[] = [];
      tag['q'] = queue;
      for (const name of ['addon', 'track', 'on'])
        tag[name] = (...given: unknown[]) => void queue.push({ functionName: name, arguments: given });
      (tag['track'] as (name: string) => void)('ByTheLaterStub');
    });
    await stage.untilArrived('ByTheLaterStub');
  });
});

describe('The public object, on one page,', () => {
  const stage = stageForTests({ keepsVisits: true });
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await stage.visitor();
    await withLog(visitor);
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => void Object.assign(window, { before: permutive }));
    expect(await visitor.ask((permutive) => 'reset' in permutive)).toBe(false);
    release();
    await visitor.ready();
  });
  const clearLog = ({ page }: Visitor): Promise<void> =>
    page.evaluate(() => void ((window as unknown as { log: unknown[] }).log.length = 0));

  test('has every method, on the object that the tag has left', async () => {
    expect(await visitor.ask((permutive) => permutive === (window as unknown as { before: unknown }).before)).toBe(
      true,
    );
    const methods = 'addon identify track trigger query segment segments ready on once user consent reset'.split(' ');
    expect(
      await visitor.ask(
        (permutive, names) => names.filter((name) => typeof permutive[name as keyof Permutive] !== 'function'),
        methods,
      ),
    ).toEqual([]);
  });

  test('tracks: the event by promise and, once it has arrived, by callback', async () => {
    const { event, told, toldEarly } = await visitor.ask(async (permutive) => {
      const told: PageEvent[] = [];
      let settle = (): void => undefined;
      const settled = new Promise<void>((resolve) => (settle = resolve));
      const success = (taken: PageEvent): void => {
        told.push(taken);
        settle();
      };
      const event = await permutive.track('Signup', { plan: 'trial' }, { success, error: () => settle() });
      const toldEarly = told.length > 0;
      await settled;
      return { event, told, toldEarly };
    });
    expect(event).toMatchObject({
      name: 'Signup',
      properties: { plan: 'trial', client: { type: 'web' } },
      id: expect.stringMatching(uuid) as unknown,
      session_id: expect.stringMatching(uuid) as unknown,
      view_id: expect.stringMatching(uuid) as unknown,
    });
    expect(told).toEqual([event]);
    expect(toldEarly).toBe(false);
    expect(await stage.arrived('Signup')).toMatchObject([{ id: event?.id, properties: { plan: 'trial' } }]);
  });

  test('tracks no event of a name that is none, and says so', async () => {
    const wrong = ['', 'with space', 'naïve', 'a-b', 'a.b', '<b>'];
    const errors = await visitor.ask(
      (permutive, names) =>
        Promise.all(
          names.map(
            (name) =>
              new Promise<unknown>(
                (resolve) => void permutive.track(name, {}, { success: () => resolve('taken'), error: resolve }),
              ),
          ),
        ),
      wrong,
    );
    expect(errors).toEqual(wrong.map(() => [expect.any(String) as unknown]));
    await visitor.track('Name_of_1');
    await stage.untilArrived('Name_of_1');
    const arrived = (await stage.arrived()).map((event) => event.name);
    expect(arrived.filter((name) => wrong.includes(name))).toEqual([]);
  });

  test('answers a query once, as it is now', async () => {
    await clearLog(visitor);
    await untilMember(visitor, 20401);
    await visitor.ask((permutive, code) => {
      const { log } = window as unknown as { log: unknown[] };
      permutive.query(20401, 'result', (answer) => log.push(['in', answer]));
      permutive.query(code, 'result', (answer) => log.push(['out', answer]));
    }, loggedIn);
    await visitor.track('LoginStatus', { logged_in: true });
    await untilMember(visitor, loggedIn);
    expect(await logOf(visitor)).toEqual([
      ['in', { result: true }],
      ['out', { result: false }],
    ]);
  });

  test('answers for one cohort, by callback and by promise', async () => {
    await untilMember(visitor, 20401);
    const answers = await visitor.ask(async (permutive) => {
      const told: boolean[] = [];
      const promised = [
        await permutive.segment(20401, (yes) => told.push(yes)),
        await permutive.segment(99999, (yes) => told.push(yes)),
        await permutive.segment('20401'),
      ];
      return { told, promised };
    });
    expect(answers).toEqual({ told: [true, false], promised: [true, false, true] });
  });

  test('tells of events by name and by pattern, until they are no longer wanted', async () => {
    await clearLog(visitor);
    await visitor.ask(async (permutive) => {
      const { log } = window as unknown as { log: string[] };
      permutive.on('One', ({ name }) => log.push(`name ${name}`));
      permutive.on(/^(One|Two)$/g, ({ name }) => log.push(`pattern ${name}`));
      permutive.once(/One/, ({ name }) => log.push(`once ${name}`));
      const removed = permutive.on('One', () => log.push('removed'));
      removed.remove();
      const own = permutive.on('Two', () => {
        log.push('own');
        own.remove();
      });
      for (const name of ['One', 'Two', 'One', 'Two', 'OneMore']) await permutive.track(name);
    });
    const log = await logOf(visitor);
    const times = (entry: string): number => log.filter((each) => String(each) === entry).length;
    expect([
      times('name One'),
      times('pattern One'),
      times('pattern Two'),
      times('pattern OneMore'),
      times('once One'),
      times('own'),
      times('removed'),
    ]).toEqual([2, 2, 2, 0, 1, 1, 0]);
    expect(log).toHaveLength(8);
  });

  test('tells of earlier events on demand', async () => {
    await visitor.track('Earlier', { n: 1 });
    await visitor.track('Earlier', { n: 2 });
    const [heard, chained] = await visitor.ask((permutive) => {
      const events: PageEvent[] = [];
      const handle = permutive.on('Earlier', (event) => events.push(event));
      const before = events.length;
      const same = handle.replay() === handle && handle.remove() === handle;
      handle.replay();
      return [events, same && before === 0] as const;
    });
    expect(heard.map(({ properties }) => properties['n'])).toEqual([1, 2]);
    expect(heard[0]).toMatchObject({
      name: 'Earlier',
      time: expect.any(String) as unknown,
      properties: { client: {} },
    });
    expect(chained).toBe(true);
    expect(
      await visitor.ask(
        (permutive) =>
          new Promise((resolve) => permutive.once('Earlier', ({ properties }) => resolve(properties['n'])).replay()),
      ),
    ).toBe(1);
  });

  test('keeps the instances of addons', async () => {
    const [before, after] = await visitor.ask((permutive) => {
      const { addons } = permutive;
      const names = Object.keys(addons);
      permutive.addon('dfp');
      return [names, addons === permutive.addons && 'dfp' in addons] as const;
    });
    expect(before).toContain('web');
    expect(after).toBe(true);
    expect(await visitor.ask(({ addons }) => typeof addons['web'])).toBe('object');
  });
});

describe('The public object', () => {
  const stage = stageForTests();

  const openReady = async (path = '/blank'): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await withLog(visitor);
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };

  test('triggers on entry and exit, not on present membership, and no more after remove', async () => {
    const visitor = await openReady();
    await stage.untilArrived('SegmentEntry');
    await visitor.ask((permutive, code) => {
      const { log } = window as unknown as { log: unknown[] };
      permutive.trigger(20401, 'result', () => log.push('present'));
      permutive.trigger(code, 'result', (change) => log.push(change));
      const removed = permutive.trigger(code, 'result', () => log.push('removed'));
      removed.remove();
    }, loggedIn);
    await visitor.track('LoginStatus', { logged_in: true });
    await until(async () => ((await logOf(visitor)).length > 0 ? true : undefined), 'the entry');
    // An exit cancels an entry that is not yet published.
    await until(
      async () =>
        (await stage.arrived('SegmentEntry')).find(({ properties }) => properties['segment_number'] === loggedIn),
      'the published entry',
    );
    await visitor.track('LoginStatus', { logged_in: false });
    await until(async () => ((await logOf(visitor)).length > 1 ? true : undefined), 'the exit');
    expect(await logOf(visitor)).toEqual([{ result: true }, { result: false }]);
    const exits = await stage.untilArrived('SegmentExit');
    // The sample has a second cohort of those who are logged in.
    expect(exits.map(({ properties }) => properties['segment_number'])).toEqual([loggedIn, 21020]);
  });

  test('triggers no entry that the page could have read before', async () => {
    const visitor = await stage.visitor();
    await withLog(visitor);
    await visitor.open('/blank');
    await visitor.ask((permutive) => {
      const { log } = window as unknown as { log: unknown[] };
      void permutive.ready(() => {
        void permutive.segment(20401, (yes) => log.push(['segment', yes]));
        permutive.trigger(20401, 'result', ({ result }) => log.push(['trigger', result]));
      }, 'realtime');
    });
    await stage.untilArrived('SegmentEntry');
    // The server may hear of the entry before the page is called.
    await until(async () => ((await logOf(visitor)).length > 0 ? true : undefined), 'the answer');
    await trackLast(stage, visitor);
    expect(await logOf(visitor)).toEqual([['segment', true]]);
  });

  test('tells the cohorts of each group and platform', async () => {
    const visitor = await openReady(savings);
    await untilMember(visitor, 20111);
    // Given by the affinity of the page, and by no query on this page.
    await untilMember(visitor, 10_000_001);
    const groups = ['all', 'ql', 'custom', 'qlCustom', 'standard', 'qlStandard'];
    const platforms = ['dfp', 'appnexus', 'appnexus_adserver', 'rubicon_ssp', 'nobody', '__proto__', 'constructor'];
    // All in one task, because cohorts come while the page is asked.
    const answers = await visitor.ask(
      (permutive, types) =>
        Promise.all(
          types.map(async (wanted) => {
            const told: unknown[] = [];
            const promised = await permutive.segments((codes) => told.push(codes), ...wanted);
            return { type: wanted.join(), told, promised };
          }),
        ),
      [[], ...[...groups, ...platforms].map((type) => [type])],
    );
    for (const { told, promised } of answers) expect(told).toEqual([promised]);
    const of = (type: string): readonly (string | number)[] => answers.find((each) => each.type === type)!.promised;
    const all = of('');
    const isStandard = (code: string | number): boolean => Number(code) >= 10_000_000;
    const custom = all.filter((code) => !isStandard(code));
    const standard = all.filter(isStandard);
    expect(custom).toEqual(expect.arrayContaining([20401, 20111]));
    expect(standard).toEqual(expect.arrayContaining([10_000_010]));
    expect(of('all')).toEqual(all);
    // The codes of advertisers and models are no numbers.
    const queried = all.filter((code) => code !== 10_000_001 && typeof code === 'number');
    expect(of('ql')).toEqual(queried);
    expect(of('custom')).toEqual(custom);
    expect(of('qlCustom')).toEqual(queried.filter((code) => !isStandard(code)));
    expect(of('standard')).toEqual(standard);
    expect(of('qlStandard')).toEqual(queried.filter(isStandard));

    const lists = project.platformCohorts as Readonly<Record<string, readonly number[]>>;
    const short = project.cohortCodes as Readonly<Record<string, string>>;
    const expected = (platform: string): readonly string[] =>
      all.filter((code) => lists[platform]?.includes(Number(code))).map((code) => short[code] ?? String(code));
    expect(of('dfp').map(String).sort()).toEqual([...expected('dfp')].sort());
    for (const name of ['appnexus', 'appnexus_adserver'])
      expect(of(name).map(String).sort()).toEqual([...expected('appnexus_adserver')].sort());
    expect(of('rubicon_ssp').map(String).sort()).toEqual([...expected('rubicon_ssp')].sort());
    for (const name of ['nobody', '__proto__', 'constructor']) expect(of(name)).toEqual([]);
    // What is stored for the next page follows a moment later.
    await until(
      async () =>
        (await visitor.ask(async (permutive) => {
          const codes = (await permutive.segments(() => undefined, 'dfp')).map(String);
          return JSON.stringify(codes) === localStorage.getItem('_pdfps');
        })) || undefined,
      'the stored codes to be those of the page',
    );
  });

  test('tells of both stages, early and late, by callback, promise and event', async () => {
    const visitor = await stage.visitor();
    await withLog(visitor);
    await visitor.page.addInitScript(() => {
      const { log } = window as unknown as { log: string[] };
      for (const name of ['permutive:ready', 'permutive:realtime'])
        window.addEventListener(name, (event) => log.push(`${event.constructor.name} ${name}`));
    });
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => {
      const { log } = window as unknown as { log: string[] };
      void permutive.ready(() => log.push('early'));
      void permutive.ready(() => log.push('early realtime'), 'realtime');
      void permutive.on(/^permutive:/, ({ name, time }) =>
        log.push(`on ${name} ${String(!Number.isNaN(Date.parse(time)))}`),
      );
    });
    release();
    await visitor.ready();
    const early = await logOf(visitor);
    expect([...early].sort()).toEqual(
      [
        'CustomEvent permutive:ready',
        'CustomEvent permutive:realtime',
        'early',
        'early realtime',
        'on permutive:ready true',
        'on permutive:realtime true',
      ].sort(),
    );
    expect(early.indexOf('early')).toBeLessThan(early.indexOf('early realtime'));
    expect(early.indexOf('CustomEvent permutive:ready')).toBeLessThan(early.indexOf('CustomEvent permutive:realtime'));
    await visitor.ask(async (permutive) => {
      const { log } = window as unknown as { log: string[] };
      log.length = 0;
      await permutive.ready(() => log.push('late'));
      await permutive.ready(() => log.push('late realtime'), 'realtime');
    });
    expect(await logOf(visitor)).toEqual(['late', 'late realtime']);
    expect((await visitor.heard()).map(({ name }) => name).filter((name) => name.startsWith('permutive:'))).toEqual([
      'permutive:ready',
      'permutive:realtime',
    ]);
  });

  test('names the user by callback and promise, and the context as it is', async () => {
    const visitor = await openReady();
    const [told, promised] = await visitor.ask(async (permutive) => {
      const ids: string[] = [];
      return [ids, await permutive.user((id) => ids.push(id))] as const;
    });
    expect(told).toEqual([promised]);
    const session = JSON.parse((await visitor.storage())['permutive-session'] ?? '{}') as Record<string, string>;
    const context = await visitor.ask((permutive) => permutive.context);
    expect(context).toMatchObject({
      user_id: promised,
      session_id: session['session_id'],
      view_id: await visitor.ask(({ config }) => config['viewId']),
      client: { type: 'web', url: `${stage.demo.site}/blank`, title: 'Blank page' },
    });
    // The call that the page has made already: its view goes on.
    await visitor.ask((permutive) => permutive.addon('web', { page: { type: 'blank' } }));
    expect(await visitor.ask((permutive) => permutive.context.view_id)).toBe(context.view_id);
    await visitor.ask((permutive) => permutive.addon('web', { context: { url: 'https://ledgerpost.example/next' } }));
    const later = await visitor.ask((permutive) => permutive.context);
    expect(later).toMatchObject({ user_id: promised, session_id: session['session_id'] });
    expect(later.view_id).toMatch(uuid);
    expect(later.view_id).not.toBe(context.view_id);
  });

  test('opens another page view with the same addon and new options, and drops an option that makes no sense', async () => {
    const visitor = await openReady();
    await untilMember(visitor, 20401);
    await visitor.ask((permutive) =>
      permutive.addon('web', {
        page: { type: 'second', article: { title: 'Next' } },
        context: { url: 'https://ledgerpost.example/next/', title: 'Next', referrer: 'https://ledgerpost.example/' },
      }),
    );
    const [, second] = await stage.untilArrived('Pageview', 2);
    const [complete] = await stage.untilArrived('PageviewComplete');
    const [first] = await stage.arrived('Pageview');
    const order = (await visitor.heard()).map(({ name }) => name).filter((name) => name.startsWith('Pageview'));
    expect(order).toEqual(['Pageview', 'PageviewComplete', 'Pageview']);
    expect(complete).toMatchObject({
      view_id: first?.view_id,
      session_id: first?.session_id,
      properties: { type: 'blank', client: { url: `${stage.demo.site}/blank` } },
    });
    expect(second).toMatchObject({
      session_id: first?.session_id,
      properties: {
        type: 'second',
        article: { title: 'Next' },
        client: { url: 'https://ledgerpost.example/next', title: 'Next', referrer: 'https://ledgerpost.example' },
      },
    });
    expect(second?.view_id).not.toBe(first?.view_id);
    await untilMember(visitor, 20403);
    await visitor.ask((permutive) =>
      permutive.addon('web', { page: { type: 'third' }, context: 'wrong', track_pageview_complete: 'wrong' }),
    );
    const [, , third] = await stage.untilArrived('Pageview', 3);
    expect(third?.properties).toMatchObject({ type: 'third', client: { url: `${stage.demo.site}/blank` } });
  });

  test('resets to somebody new, with a page view of their own, tells the API, and keeps what was accepted before', async () => {
    const visitor = await openReady();
    await stage.untilArrived('SegmentEntry');
    await visitor.ask((permutive) => permutive.addon('web', { page: { type: 'again' } }));
    await untilMember(visitor, 20403);
    const [first] = await stage.untilArrived('Pageview');
    const id = await visitor.ask(async (permutive) => {
      const event = await permutive.track('LastWord');
      await permutive.reset();
      return event?.id;
    });
    const third = await until(
      async () => (await stage.arrived('Pageview')).find(({ user_id }) => user_id !== first?.user_id),
      'the Pageview of the new user',
    );
    expect((await stage.untilArrived('LastWord')).map((event) => event.id)).toEqual([id]);
    expect(await stage.requests('/reset')).toMatchObject([{ method: 'POST', path: '/v2.0/reset', cookie: false }]);
    expect(third.user_id).toMatch(uuidV4);
    expect(third.session_id).not.toBe(first?.session_id);
    expect(third.properties['type']).toBe('again');
    expect(await visitor.ask((permutive) => permutive.user())).toBe(third.user_id);
    expect(await visitor.ask(({ context }) => context.user_id)).toBe(third.user_id);
    expect((await visitor.storage())['permutive-id']).toBe(third.user_id);
    expect((await visitor.cookies())['permutive-id']).toBe(third.user_id);
    await untilMember(visitor, 20401);
    expect(await visitor.ask((permutive) => permutive.segment(20403))).toBe(false);
    await visitor.open('/blank');
    await visitor.ready();
    await untilMember(visitor, 20403);
    expect(await visitor.ask((permutive) => permutive.user())).toBe(third.user_id);
  });

  test('offers its streams to RxJS', async () => {
    const visitor = await openReady();
    await visitor.ask((permutive) => {
      const { log } = window as unknown as { log: unknown[] };
      const key = (Symbol as { observable?: symbol }).observable ?? '@@observable';
      const interop = (name: 'cohorts$' | 'transitions$' | 'events$') =>
        (permutive[name] as unknown as Record<symbol | string, () => Permutive['events$']>)[key]!();
      for (const name of ['cohorts$', 'transitions$', 'events$'] as const)
        interop(name).subscribe({ next: (value) => log.push([name, value]) });
      interop('events$')
        .subscribe({ next: () => log.push(['stopped']) })
        .unsubscribe();
    });
    await visitor.track('LoginStatus', { logged_in: true });
    const of = async (name: string): Promise<readonly unknown[]> =>
      ((await logOf(visitor)) as readonly (readonly [string, unknown])[])
        .filter(([stream]) => stream === name)
        .map(([, value]) => value);
    for (const name of ['cohorts$', 'transitions$'])
      await until(
        async () => JSON.stringify(await of(name)).includes(String(loggedIn)) || undefined,
        `the cohort in ${name}`,
      );
    expect(await of('events$')).toContainEqual(expect.objectContaining({ name: 'LoginStatus' }));
    expect(await of('stopped')).toEqual([]);
  });
});

describe('The config', () => {
  const stage = stageForTests();

  test('is read at each request: a host that changes is used at the next, path and all', async () => {
    // What the page sends as it is closed comes to that host, which then serves nothing.
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    const other = `${new URL(stage.demo.api).host}/integrations/permutive/api`;
    await visitor.page.route('**/integrations/permutive/api/**', (route) =>
      route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '[]' }),
    );
    // A service that was waiting may ask the new host before the event does.
    const request = visitor.page.waitForRequest('**/integrations/permutive/api/v2.0/batch/**');
    await visitor.ask((permutive, host) => void Object.assign(permutive.config, { apiHost: host }), other);
    await visitor.track('ByTheOtherHost');
    const url = new URL((await request).url());
    expect(`${url.host}${url.pathname}`).toBe(`${other}/v2.0/batch/events`);
    expect(url.search.endsWith(`&k=${project.apiKey}`)).toBe(true);
  });

  test('is changed by query parameters, for as long as the tab lives', async () => {
    const visitor = await stage.visitor();
    const logs = async (): Promise<boolean> => {
      await visitor.ready();
      (await visitor.warnings()).length = 0;
      await visitor.ask((permutive) => permutive.addon('nobody'));
      await visitor.page.evaluate(() => 0);
      return (await visitor.warnings()).some((warning) => warning.includes('Does not exist'));
    };
    const kept = (): Promise<string | null> =>
      visitor.page.evaluate(() => sessionStorage.getItem('__permutiveConfigQueryParams'));
    await visitor.open('/blank');
    expect(await logs()).toBe(false);
    await visitor.open(
      '/blank?__permutive.loggingEnabled=true&__permutive.requestTimeout=3000&__permutive.eventsTTLInDays=soon',
    );
    expect(await logs()).toBe(true);
    expect(JSON.parse((await kept()) ?? 'null')).toEqual({ loggingEnabled: true, requestTimeout: 3000 });
    await visitor.open('/blank');
    expect(await logs()).toBe(true);
    await visitor.open('/blank?__permutive.loggingEnabled=false');
    expect(await logs()).toBe(false);
    const other = await visitor.newTab();
    await other.open('/blank?permutive_debug=true');
    await other.ready();
    expect(await other.page.evaluate(() => sessionStorage.getItem('__permutiveConfigQueryParams'))).toContain(
      '"loggingEnabled":true',
    );
  });

  test('lets no query parameter name a host, a key or an id', async () => {
    const visitor = await stage.visitor();
    const elsewhere: string[] = [];
    visitor.context.on('request', (request) => {
      if (!/^(blob:)?http:\/\/localhost/.test(request.url())) elsewhere.push(request.url());
    });
    const wrong = [
      'apiHost=evil.example',
      'apiProtocol=https',
      'cdnBaseUrl=evil.example',
      'apiKey=stolen',
      'workspaceId=other',
      'viewId=8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11',
      'cookieName=other',
      'stateNamespace=other',
      'consentRequired=true',
      'cookieDomain=example.com',
    ];
    await visitor.open(`/blank?${wrong.map((pair) => `__permutive.${pair}`).join('&')}`);
    const [pageview] = await stage.untilArrived('Pageview');
    await visitor.ready();
    expect(pageview?.view_id).not.toBe('8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11');
    expect(elsewhere).toEqual([]);
    for (const { query } of await stage.requests('/batch/events')) expect(query).toContain(`k=${project.apiKey}`);
    expect(Object.keys(await visitor.cookies())).toContain('permutive-id');
    expect(
      JSON.parse((await visitor.page.evaluate(() => sessionStorage.getItem('__permutiveConfigQueryParams'))) ?? '{}'),
    ).toEqual({});
  });

  test('takes the first view id from the page if it is one', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask(({ config }) => void Object.assign(config, { viewId: 'not-an-id' }));
    release();
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.view_id).toMatch(uuid);
  });
});
