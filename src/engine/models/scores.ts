import { mapItems } from '../../primitives/lists';
import type { Providers } from '../evaluate/lookups';
import type { Id, ModelTest } from '../language/language';

/** A decoded model. The model estimates from the features of a visitor how likely the visitor belongs to a group. */
export interface LookalikeModel {
  readonly version: 1 | 2;
  /** UUID in lower case. A model over cohorts and one over third-party segments may have the same id. */
  readonly id: string;
  /** What the features are: `1p` cohort ids, `3p` third-party segments as `{provider}:{segment}`. */
  readonly data_preference: '1p' | '3p';
  /** Number of bits of the weights' integers, from 1 to 32. */
  readonly precision: number;
  /** The weight that the integer 0 stands for. */
  readonly min: number;
  /** The weight that the largest integer stands for. */
  readonly max: number;
  /** The integer of each feature in base 36, and of the intercept under `const`. */
  readonly weights: ReadonlyMap<string, string>;
}

/**
 * A model and its sum over the features that the visitor has. The sum is kept in the integers of the model file, so
 * that adding and taking away leave no rounding error.
 */
interface ScoredModel {
  readonly id: string;
  readonly data: '1p' | '3p';
  readonly weights: ReadonlyMap<string, number>;
  /** The score from the number of features and the sum of their integers: from 0 to 1. */
  readonly scoreOf: (features: number, sum: number) => number;
  /** How many features of the model the visitor has. */
  features: number;
  /** The sum of the integers of these features. */
  sum: number;
}

/**
 * Scores of the lookalike models, brought up to date by the transitions of cohorts. A transition costs one addition for
 * each model that scores the cohort; a score is computed when a query asks for it.
 */
export class Scores {
  /** By kind of data and id. */
  private readonly models = new Map<string, ScoredModel>();
  /** First-party models by the cohorts that are their features. */
  private readonly modelsByCohort = new Map<Id, ScoredModel[]>();

  /**
   * Takes new models in place of all old ones. First-party models begin with the cohorts of which `isMember` is true;
   * third-party models have no features before `onProviders`.
   */
  load(models: readonly LookalikeModel[], isMember: (cohort: Id) => boolean): void {
    this.models.clear();
    this.modelsByCohort.clear();
    for (const file of models) this.add(scored(file), isMember);
  }

  /** The first-party models that a cohort is a feature of. */
  modelsOf(cohort: Id): readonly string[] {
    return (this.modelsByCohort.get(cohort) ?? []).map(({ id }) => id);
  }

  /**
   * Updates the first-party models of a cohort after the visitor entered or left it, and answers the ids of these
   * models.
   */
  onTransition(cohort: Id, entry: boolean): readonly string[] {
    const models = this.modelsByCohort.get(cohort) ?? [];
    for (const model of models) addFeature(model, cohort, entry ? 1 : -1);
    return models.map(({ id }) => id);
  }

  /** Counts the features of third-party models anew from all data there is. */
  onProviders(providers: Providers): void {
    for (const model of this.models.values()) {
      if (model.data !== '3p') continue;
      model.features = 0;
      model.sum = 0;
      for (const [provider, ids] of providers) for (const id of ids.values()) addFeature(model, `${provider}:${id}`, 1);
    }
  }

  /** The score of a model from 0 to 1, or null when there is none of that id. */
  score(test: ModelTest): number | null {
    const model = this.find(test);
    return model === null ? null : model.scoreOf(model.features, model.sum);
  }

  /** Whether the model reads third-party data. A model that is not loaded yet is judged by the test alone. */
  needsProviders(test: ModelTest): boolean {
    return test.data === '3p' || this.find(test)?.data === '3p';
  }

  /** The model of a test. Where the test does not say which data, the one over cohorts comes first. */
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

/** Adds or takes away a feature that the model has a weight for; others do not matter. */
const addFeature = (model: ScoredModel, feature: string, sign: 1 | -1): void => {
  const weight = model.weights.get(feature);
  if (weight === undefined) return;
  model.features += sign;
  model.sum += sign * weight;
};

/**
 * A model with no features. The weight of an integer v is `min + step * v`, so n features with the sum s add `n * min +
 * step * s`. The score is the logistic function of that and the intercept.
 */
const scored = ({ id, data_preference: data, precision, min, max, weights }: LookalikeModel): ScoredModel => {
  const numbers = new Map(mapItems(weights, ([feature, weight]) => [feature, parseInt(weight, 36)]));
  const step = (max - min) / (2 ** precision - 1);
  const intercept = min + step * (numbers.get('const') ?? 0);
  numbers.delete('const');
  const scoreOf = (features: number, sum: number): number =>
    1 / (1 + Math.exp(-(intercept + features * min + step * sum)));
  return { id, data, weights: numbers, scoreOf, features: 0, sum: 0 };
};
