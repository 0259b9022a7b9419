import type { Providers } from '../evaluate/lookups';
import type { ModelTest } from '../language/canonicalLanguage';
import type { Id } from '../language/language';

/** A decoded model: the weight of each feature as a base-36 number, the intercept under `const`. */
export interface LookalikeModel {
  readonly version: 1 | 2;
  readonly id: string;
  readonly data_preference: '1p' | '3p';
  readonly precision: number;
  readonly min: number;
  readonly max: number;
  readonly weights: ReadonlyMap<string, string>;
}

/**
 * A model and its sum over the features of the user. The sum is kept in the integers of the model file, so
 * that adding and taking away leaves no drift.
 */
interface ScoredModel {
  readonly id: string;
  readonly data: '1p' | '3p';
  readonly weights: ReadonlyMap<string, number>;
  readonly scoreOf: (features: number, sum: number) => number;
  features: number;
  sum: number;
}

/** Scores of the lookalike models, brought up to date by the transitions of cohorts. */
export class Scores {
  private readonly models = new Map<string, ScoredModel>();
  private readonly modelsByCohort = new Map<Id, ScoredModel[]>();

  /** Takes new models in place of all old ones. */
  load(models: readonly LookalikeModel[], isMember: (cohort: Id) => boolean): void {
    this.models.clear();
    this.modelsByCohort.clear();
    for (const file of models) this.add(scored(file), isMember);
  }

  /** The first-party models that a cohort is a feature of. */
  modelsOf(cohort: Id): readonly string[] {
    return (this.modelsByCohort.get(cohort) ?? []).map(({ id }) => id);
  }

  /** Updates first-party models after a transition, and answers which ones. */
  onTransition(cohort: Id, entry: boolean): readonly string[] {
    const models = this.modelsByCohort.get(cohort) ?? [];
    for (const model of models) addFeature(model, cohort, entry ? 1 : -1);
    return models.map(({ id }) => id);
  }

  /** Counts the third-party features anew. */
  onProviders(providers: Providers): void {
    for (const model of this.models.values()) {
      if (model.data !== '3p') continue;
      model.features = 0;
      model.sum = 0;
      for (const [provider, ids] of providers) for (const id of ids.values()) addFeature(model, `${provider}:${id}`, 1);
    }
  }

  /** The score of a model, or null when there is none of that id. */
  score(test: ModelTest): number | null {
    const model = this.find(test);
    return model === null ? null : model.scoreOf(model.features, model.sum);
  }

  /** Whether the model reads third-party data. */
  needsProviders(test: ModelTest): boolean {
    return test.data === '3p' || this.find(test)?.data === '3p';
  }

  private find({ model, data }: ModelTest): ScoredModel | null {
    const found =
      data === undefined
        ? (this.models.get(`1p ${model}`) ?? this.models.get(`3p ${model}`))
        : this.models.get(`${data} ${model}`);
    return found ?? null;
  }

  private add(model: ScoredModel, isMember: (cohort: Id) => boolean): void {
    this.models.set(`${model.data} ${model.id}`, model);
    if (model.data === '3p') return;
    for (const cohort of model.weights.keys()) {
      const models = this.modelsByCohort.get(cohort) ?? [];
      models.push(model);
      this.modelsByCohort.set(cohort, models);
      if (isMember(cohort)) addFeature(model, cohort, 1);
    }
  }
}

const addFeature = (model: ScoredModel, feature: string, sign: 1 | -1): void => {
  const weight = model.weights.get(feature);
  if (weight === undefined) return;
  model.features += sign;
  model.sum += sign * weight;
};

const scored = ({ id, data_preference: data, precision, min, max, weights }: LookalikeModel): ScoredModel => {
  const numbers = new Map(Array.from(weights, ([feature, weight]) => [feature, parseInt(weight, 36)]));
  const step = (max - min) / (2 ** precision - 1);
  const intercept = min + step * (numbers.get('const') ?? 0);
  numbers.delete('const');
  const scoreOf = (features: number, sum: number): number =>
    1 / (1 + Math.exp(-(intercept + features * min + step * sum)));
  return { id, data, weights: numbers, scoreOf, features: 0, sum: 0 };
};
