import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import { failedRequests, type Visitor } from './support/visitor';

const userId = '5f0c2c9e-6f2c-4b3a-9d5e-1c2b3a4d5e6f';
const article = '/markets/wrap/a-late-bounce-saves-a-nervous-week';
const sync = { path: '/v1.0/state' };

/** Two devices of one person. */
describe('State sync', () => {
  const stage = stageForTests();

  const device = async (path: string): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.context.addInitScript((id) => localStorage.setItem('permutive-id', id), userId);
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };
  const cohorts = (visitor: Visitor): Promise<readonly unknown[]> => visitor.ask((permutive) => permutive.segments());
  const exchanges = async (count: number): Promise<void> => {
    await until(
      async () =>
        (await stage.requests('/v1.0/state')).filter(({ status }) => status === 200).length >= count ? true : undefined,
      `${count} exchanges`,
    );
  };
  /** Waits for an exchange that begins once the page has evaluated its view, and tells everything. */
  const exchanged = async (visitor: Visitor): Promise<void> => {
    const before = (await stage.requests('/v1.0/state')).length;
    // Something to tell starts the next exchange.
    await visitor.track('LoginStatus', { logged_in: true });
    await until(async () => {
      const later = (await stage.requests('/v1.0/state')).slice(before);
      return later.some(({ status }) => status === 200) || undefined;
    }, 'the next exchange');
  };
  const untilMember = (visitor: Visitor, cohort: number): Promise<true> =>
    until(async () => ((await cohorts(visitor)).includes(cohort) ? true : undefined), `membership of ${cohort}`);

  test('gives the second device the cohorts of the first', async () => {
    const first = await device(article);
    await stage.untilArrived('Pageview');
    await exchanged(first);
    const second = await device('/blank');
    await untilMember(second, 20101);
    // What they have read, and what both have counted together; not what belongs to the session of one.
    expect(await cohorts(second)).toEqual(expect.arrayContaining([20101, 20103, 20106, 20107, 20403]));
  });

  test('counts over both devices: two page views on two of them are two', async () => {
    const first = await device('/blank');
    await stage.untilArrived('Pageview');
    await exchanged(first);
    const second = await device('/blank');
    await untilMember(second, 20403);
  });

  test.each([
    ['is lost', { ignoreAnswer: true }],
    ['is cut off', { malformed: true }],
    ['is an error', { status: 500 }],
    ['is late', { delayMs: 1500 }],
  ])('comes to the same when an answer %s', async (_, action) => {
    await stage.fault(sync, action, 1);
    const first = await device(article);
    await until(
      async () => ((await stage.requests('/v1.0/state')).length > 0 ? true : undefined),
      'the first exchange',
    );
    const before = (await stage.requests('/v1.0/state')).length;
    // Something to tell starts the next exchange, which tells everything.
    await first.track('LoginStatus', { logged_in: true });
    await first.open(article);
    await first.ready();
    await until(async () => {
      const later = (await stage.requests('/v1.0/state')).slice(before);
      return later.some(({ status }) => status === 200) || undefined;
    }, 'the next exchange');
    const second = await device('/blank');
    await untilMember(second, 20101);
    expect(await stage.rejected()).toEqual([]);
  });

  test('has one exchange under way at a time', async () => {
    await stage.fault(sync, { delayMs: 400 });
    const visitor = await device(article);
    for (const name of ['ProductBuyClick', 'LoginStatus', 'LinkClick']) await visitor.track(name, { logged_in: true });
    await untilSettled(stage, visitor);
    await exchanges(1);
    await pause(1000, 'exchanges that follow one another begin by then, of which each takes 400 ms');
    const requests = await until(async () => {
      const made = await stage.requests('/v1.0/state');
      return made.every(({ status }) => status !== null) ? made : undefined;
    }, 'all exchanges to be answered');
    expect(requests.length).toBeLessThanOrEqual(3);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
  });
});
