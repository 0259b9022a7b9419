import { MetricsRequest } from '../../src/endpoints/metrics';
import { ErrorReport } from '../../src/endpoints/reportErrors';
import { sdkVersion } from '../../src/model/clientContext';
import { partFile } from './support/bundleFile';
import { can, listMissing, needs } from './support/needs';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import { failedRequests, type Visitor } from './support/visitor';

const sampled = '__permutive.metricsSamplingPercentage=100';

describe('Error reports', () => {
  const stage = stageForTests();

  const reports = async (): Promise<readonly ErrorReport[]> =>
    (await stage.requests('/sdk-errors/v2/errors')).flatMap(({ body }) => JSON.parse(body ?? '[]') as ErrorReport[]);
  /** A visitor whose page's clock the test turns. */
  const opened = async (path: string): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.clock.install();
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };
  const misuse = ({ page }: Visitor, calls: number): Promise<void> =>
    page.evaluate((times) => {
      const { permutive } = window as unknown as { permutive: { q: unknown[] } };
      for (let i = 0; i < times; i += 1)
        permutive.q.push({ functionName: `unknown${i}`, arguments: ['bob@mail.example'] });
    }, calls);

  needs('clock')('go out after 5 s, without query, fragment or what the page has given', async () => {
    const visitor = await opened('/blank?email=bob@mail.example#bob');
    await visitor.ask((permutive) => void permutive.track('bob@mail.example', { name: 'Bob' }));
    await visitor.ask((permutive) =>
      permutive.on('Marked', () => {
        throw new Error('Bob of bob@mail.example');
      }),
    );
    await visitor.track('Marked');
    // The page's clock goes on meanwhile: on a loaded machine by a second or two.
    await visitor.page.clock.runFor(3000);
    expect(await reports()).toEqual([]);
    await visitor.page.clock.runFor(2100);
    await until(async () => ((await reports()).length > 0 ? true : undefined), 'the first report');
    await visitor.page.clock.runFor(5100);
    const sent = await until(async () => ((await reports()).length > 1 ? reports() : undefined), 'the second report');
    expect(sent.flatMap(ErrorReport)).toEqual([]);
    expect(sent.map(({ error_message, url }) => [error_message, url])).toEqual([
      [
        'Function permutive.track caused an error: track/0: expected an event name of letters, digits and _, 100 at most',
        `${stage.demo.site}/blank`,
      ],
      ['Function permutive.on caused an error', `${stage.demo.site}/blank`],
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/bob/i);
    expect(await stage.rejected()).toEqual([]);
  });

  needs('clock')('make no loop where their server fails: 15 of 500 errors, and events still arrive', async () => {
    await stage.fault({ path: '/sdk-errors' }, { status: 500 });
    const visitor = await opened('/blank');
    await misuse(visitor, 500);
    await visitor.page.clock.runFor(5000);
    await until(async () => {
      await visitor.page.clock.runFor(1000);
      return (await reports()).length >= 15 ? true : undefined;
    }, '15 reports');
    await visitor.page.clock.runFor(60_000);
    await misuse(visitor, 500);
    await visitor.track('Ordinary');
    await visitor.page.clock.runFor(60_000);
    await stage.untilArrived('Ordinary');
    const requests = await stage.requests('/sdk-errors');
    expect(requests).toHaveLength(15);
    expect(new Set((await reports()).map(({ error_message }) => error_message)).size).toBe(15);
    expect(await visitor.warnings()).toEqual([]);
  });
});

describe('Metrics', () => {
  const stage = stageForTests();

  const sent = async (): Promise<readonly MetricsRequest[]> =>
    (await stage.requests('/internal/metrics')).map(({ body }) => JSON.parse(body ?? '') as MetricsRequest);
  const vitalsOf = ({ context }: Visitor): readonly string[] => {
    const files: string[] = [];
    context.on('request', (request) => {
      if (partFile('vitals').test(request.url())) files.push(request.url());
    });
    return files;
  };

  test('of a visitor in the sample arrive, with the vitals of the page, the last of them as the page goes', async () => {
    const visitor = await stage.visitor();
    const files = vitalsOf(visitor);
    await visitor.open(`/?${sampled}`);
    await visitor.ready();
    await until(() => (files.length > 0 ? true : undefined), 'the chunk');
    await visitor.page.mouse.click(5, 5);
    if (can('paintsAndInputs'))
      await visitor.page.evaluate(
        () =>
          new Promise<void>((told) => {
            new PerformanceObserver(() => told()).observe({ type: 'first-input', buffered: true });
          }),
      );
    // The chunk runs, and the browser has told it of the first paint.
    await until(async () => ((await sent()).length > 0 ? true : undefined), 'the first metrics');
    await visitor.page.goto('about:blank');
    const wanted = [
      'sdk_http_request_count_total',
      'sdk_pageview_cohort_count',
      'sdk_web_vitals_fcp_seconds',
      ...(can('paintsAndInputs') ? ['sdk_web_vitals_lcp_seconds', 'sdk_web_vitals_fid_seconds'] : []),
      ...(can('layoutShifts') ? ['sdk_web_vitals_cls_score'] : []),
    ];
    await until(async () => {
      const names = (await sent()).flatMap(({ items }) => items.map(({ name }) => name));
      return wanted.every((name) => names.includes(name)) ? true : undefined;
    }, 'the vitals');
    const requests = await sent();
    expect(requests.flatMap(MetricsRequest)).toEqual([]);
    expect(requests[0]?.context).toMatchObject({
      environment: 'production',
      os: 'Linux',
      sample_rate: 1,
      sdk_version: sdkVersion,
      session_count: 1,
      session_init_count: 1,
      session_view_count: 1,
    });
    const items = requests.flatMap((request) => request.items);
    expect(items.filter(({ labels }) => labels['path']?.includes('metrics'))).toEqual([]);
    expect(
      items
        .filter(({ name }) => name.startsWith('sdk_web_vitals'))
        .every(({ labels }) => ['good', 'needs-improvement', 'poor'].includes(labels['rating']!)),
    ).toBe(true);
    expect([files.length, await stage.rejected()]).toEqual([1, []]);
  });

  listMissing('layoutShifts', 'tell the layout shifts of the page');
  listMissing('paintsAndInputs', 'tell the largest paint and the first input of the page');

  test('of a visitor outside the sample are neither sent nor taken: the chunk is not loaded', async () => {
    const visitor = await stage.visitor();
    const files = vitalsOf(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.open('/blank');
    await visitor.ready();
    await untilSettled(stage, visitor);
    // Metrics that nothing else has sent leave with the page.
    await visitor.open('/blank');
    await visitor.ready();
    await untilSettled(stage, visitor);
    expect([files, await sent()]).toEqual([[], []]);
    expect(JSON.parse((await visitor.storage())['permutive-data-misc'] ?? '{}')).toMatchObject({
      metricsEnabled: false,
    });
  });

  needs('clock')('end with the first failure', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.clock.install();
    await stage.fault({ path: '/internal/metrics' }, { status: 500 });
    await visitor.open(`/blank?${sampled}`);
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await until(async () => {
      await visitor.page.clock.runFor(1000);
      return (await sent()).length > 0 ? true : undefined;
    }, 'the request that fails');
    await visitor.ask((permutive) => permutive.addon('web', {}));
    await visitor.page.clock.runFor(20_000);
    await stage.untilArrived('Pageview', 2);
    await visitor.open('/empty');
    await pause(500, 'what a page sends as it goes arrives by then');
    expect(await sent()).toHaveLength(1);
  });
});
