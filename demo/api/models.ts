import { ampQuery } from '../../src/endpoints/ampQuery';
import { binaryModels } from '../../src/endpoints/binaryModels';
import { jsonModels } from '../../src/endpoints/jsonModels';
import { encodeModels, type PlainModel } from '../../tools/encodeModels';
import type { ApiProject } from './apiProject';
import { hashOf } from './hash';
import { type Call, Refused, type Route, served } from './served';

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

const modelsOf = ({ models = {}, queries = [], cohortCodes = {} }: ApiProject): readonly PlainModel[] => {
  const modelled = new Set(Object.values(models).map(String));
  const cohorts = [...new Set([...queries.map(({ id }) => String(id)), ...Object.keys(cohortCodes)])].filter(
    (id) => !modelled.has(id),
  );
  return Object.keys(models).map((id) => {
    const byChance = [...cohorts]
      .sort((a, b) => hashOf(`${id} ${a}`) - hashOf(`${id} ${b}`))
      .slice(0, featuresPerModel);
    return {
      id,
      data_preference: '1p',
      weights: new Map([['const', -2], ...byChance.map((cohort) => [cohort, weightOf(id, cohort)] as const)]),
    };
  });
};

// Sixty-fourths between -1 and 2.5: the file's 32-bit limits hold them exactly.
const weightOf = (model: string, cohort: string): number => (hashOf(`weight ${model} ${cohort}`) % 225) / 64 - 1;
