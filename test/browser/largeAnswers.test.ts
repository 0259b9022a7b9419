import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import { failedRequests } from './support/visitor';

const many = <A>(count: number, make: (i: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, i) => make(i));
const codes = many(100_000, (i) => `c${i}`);
const terms = many(10_000, (i) => ({ text: `term number ${i}`, relevance: 0.5 }));
const depth = 100_000;
const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const deepList = `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** By the path of a service: an answer with more than anybody needs, and one of a depth that nobody needs. */
const answers: Readonly<Record<string, { readonly large: object; readonly deep: string }>> = {
  geoip: {
    large: {
      geo_info: { continent: 'EU', country: 'x'.repeat(400_000), city: null, province: null, postal_code: null },
      isp_info: null,
    },
    deep: `{"geo_info":${deep},"isp_info":${deep}}`,
  },
  watson: {
    large: { keywords: terms, concepts: terms },
    deep: `{"keywords":[{"text":"a","relevance":1,"more":${deep}}]}`,
  },
  'ctx/v1/state': {
    large: {
      activations: { dfp: codes.slice(0, 30_000), appnexus: codes.slice(0, 20_000) },
      cohorts: codes.slice(0, 20_000),
      contextual_data: {
        classifications: { categories: [], keywords: many(10_000, (i) => ({ value: `v${i}`, confidence: 1 })) },
      },
      requires_segmentation: false,
    },
    deep: `{"activations":{},"cohorts":[],"contextual_data":{"classifications":${deep}}}`,
  },
  'adv/v4/segment': {
    large: {
      c: { cohorts: many(20_000, (i) => ({ code: `a${i}`, groups: [0] })), groups: { types: ['x'], counts: [20_000] } },
      ctx: {},
    },
    deep: `{"c":{"cohorts":[],"groups":{"types":[],"counts":[]}},"ctx":${deep}}`,
  },
  'clm/v1/segment': { large: { cohorts: codes }, deep: `{"cohorts":${deepList}}` },
  affinity: {
    large: { affinity_values: Object.fromEntries(many(50_000, (i) => [String(i), 1])) },
    deep: `{"affinity_values":${deep}}`,
  },
  'audience-matching': { large: { items: [{ provider: 'acme', segments: codes }] }, deep: `{"items":${deepList}}` },
};

describe('Answers that are too much', () => {
  const stage = stageForTests();

  test.each(['large', 'deep'] as const)('stop no page, and fill no storage: %s ones', async (kind) => {
    const visitor = await stage.visitor({ expected: failedRequests });
    for (const [path, answer] of Object.entries(answers))
      await visitor.context.route(new RegExp(`/${path}`), (route) =>
        route.fulfill({
          contentType: 'application/json',
          headers: { 'access-control-allow-origin': '*' },
          body: kind === 'large' ? JSON.stringify(answer.large) : answer.deep,
        }),
      );
    for (let view = 1; view <= 2; view += 1) {
      await visitor.open('/blank');
      await visitor.ready('realtime');
      await untilSettled(stage, visitor);
      expect(await stage.untilArrived('Pageview', view)).toHaveLength(view);
      await until(async () => ((await visitor.storage())['_psegs'] ?? '').includes('20401') || undefined, 'a cohort');
      const storage = await visitor.storage();
      expect(Object.values(storage).join('').length).toBeLessThan(30_000);
      // A hundred codes of each service, of the few characters that these have.
      expect(JSON.stringify(await visitor.targeting()).length).toBeLessThan(2000);
    }
  });
});
