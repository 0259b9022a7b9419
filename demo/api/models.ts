import { encodeModels, type PlainModel } from '../../project/encodeModels';
import { ampQuery } from '../../src/endpoints/ampQuery';
import { binaryModels } from '../../src/endpoints/binaryModels';
import { jsonModels } from '../../src/endpoints/jsonModels';
import type { ApiProject } from './apiProject';
import { hashOf } from './hash';
import { type Call, Refused, type Route, served } from './served';
import { segmentsAsked } from './thirdParty';

const featuresPerModel = 40;

/** Files of the CDN: the lookalike models of the project's cohorts, and those of AMP pages. */
export const fileRoutes = (project: ApiProject): readonly Route[] => {
  const models = modelsOf(project);
  const own = ({ params }: Pick<Call<never>, 'params'>): void => {
    if (params['workspaceId'] !== project.workspaceId) throw new Refused(404, 'no such workspace');
  };
  return [
    served(binaryModels, (call) => {
      own(call);
      return encodeModels(models, { version: 2, precision: 12 });
    }),
    served(jsonModels, (call) => {
      own(call);
      return {
        models: Object.fromEntries(models.map(({ id, weights }) => [id, { '1p': Object.fromEntries(weights) }])),
      };
    }),
    served(ampQuery, (call) => {
      own(call);
      return { query: { cohorts: project.platformCohorts?.['amp'] ?? [] } };
    }),
  ];
};

/** The models of the cohorts that the project has models for. */
export const modelsOf = ({ models = {}, queries = [], cohortCodes = {} }: ApiProject): readonly PlainModel[] => {
  const modelled = new Set(Object.values(models).map(String));
  const cohorts = [...new Set([...queries.map(({ id }) => String(id)), ...Object.keys(cohortCodes)])].filter(
    (id) => !modelled.has(id),
  );
  const segments = [...segmentsAsked(queries)].flatMap(([provider, ids]) => [...ids].map((id) => `${provider}:${id}`));
  const overSegments = modelsOverSegments(queries);
  return Object.keys(models).map((id) => {
    const data_preference = overSegments.has(id) ? '3p' : '1p';
    const byChance = [...(data_preference === '3p' ? segments : cohorts)]
      .sort((a, b) => hashOf(`${id} ${a}`) - hashOf(`${id} ${b}`))
      .slice(0, featuresPerModel);
    return {
      id,
      data_preference,
      weights: new Map([['const', -2], ...byChance.map((feature) => [feature, weightOf(id, feature)] as const)]),
    };
  });
};

/** The models that a query wants computed over third-party segments, wherever it stands. */
const modelsOverSegments = (queries: unknown): ReadonlySet<string> =>
  new Set(
    [...JSON.stringify(queries).matchAll(/"lookalike":(\{[^{}]*\})/g)]
      .map(([, test]) => JSON.parse(test ?? '{}') as { readonly model?: string; readonly data?: string })
      .flatMap(({ model, data }) => (data === '3p' && model !== undefined ? [model] : [])),
  );

// Sixty-fourths between -1 and 2.5: the file's 32-bit limits hold them exactly.
const weightOf = (model: string, feature: string): number => (hashOf(`weight ${model} ${feature}`) % 225) / 64 - 1;
