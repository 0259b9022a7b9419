import { catchError, concat, defer, EMPTY, finalize, map, mergeMap, type Observable, of, throwError } from 'rxjs';

import { type Codec, list, readAs, shape, type TypeOf, value } from '../codecs/codecs';
import { open, Text } from '../engine/language/storedCodecs';
import { oneOf } from '../engine/language/taggedCodecs';
import {
  decodeJsonModels,
  decodeModels,
  type LookalikeModel,
  maxFeatures,
  maxModels,
} from '../engine/models/lookalike';
import type { Json } from '../hardening/json';
import { ownFields } from '../hardening/ownFields';
import type { AnswerOf } from '../model/engineQuestions';
import type { Report } from '../model/report';
import { storeKeys } from '../model/storageKeys';
import type { KeyValueStore } from '../platform/platform';
import { dayMs, pauseMs } from '../primitives/duration';
import type { Ask } from './ask';
import type { Metrics } from './engineMetrics';

const key = storeKeys.models;
/** Stored models are used for a week, and downloaded again once they are a day old (spec C§9). */
const validMs = 7 * dayMs;
const modelsFreshMs = dayMs;

/** `ask` downloads models, `store` keeps them, and `metrics` measures the downloads. */
export interface ModelsDeps {
  readonly ask: Ask;
  readonly store: KeyValueStore;
  readonly json: Json;
  readonly now: () => number;
  readonly report: Report;
  readonly metrics: Metrics;
}

const Num = value('a number', (input) => typeof input === 'number');
/**
 * The stored form: the decoded models, with weights as pairs of feature and code, the time of the download, and the
 * time of the latest download that failed since.
 */
const StoredModels = open(
  // Reports say by it which record cannot be read.
  key,
  shape(
    {
      fetched_at: Num,
      models: list(
        open(
          'a model',
          shape({
            version: oneOf(1, 2),
            id: Text,
            data_preference: oneOf('1p', '3p'),
            precision: Num,
            min: Num,
            max: Num,
            weights: list(list(Text, 2, 2) as Codec<readonly [feature: string, code: string]>, 0, maxFeatures),
          }),
        ),
        0,
        2 * maxModels,
      ),
    },
    { failed_at: Num },
  ),
);
type StoredModels = TypeOf<typeof StoredModels>;

/** The models that the engine is to use from now on. */
export interface GivenModels {
  readonly models: readonly LookalikeModel[];
  /** The models were downloaded, and are others than those that were stored. */
  readonly areOthers: boolean;
}

/**
 * The project's lookalike models (spec S§4). Emits the stored ones if they are valid; then, if they are older than a
 * day, downloaded ones. Emits an empty list where there are neither, so that the queries that wait for models are
 * evaluated. Nothing is asked for within ten minutes of a download that failed. Completes; never errors.
 */
export const lookalikeModels = (workspaceId: string, deps: ModelsDeps): Observable<GivenModels> =>
  readStored(deps).pipe(
    mergeMap((stored) => {
      const { age, sinceFailure, models } = stored;
      const isValid = age < validMs;
      const known = { models: isValid ? models : [], areOthers: false };
      if (age < modelsFreshMs || sinceFailure < pauseMs) return of(known);
      return concat(isValid ? of(known) : EMPTY, refreshed(workspaceId, isValid, stored, deps));
    }),
  );

/**
 * Downloads the models: the binary file, else the JSON file, else none. Stores and emits what arrives. After a failure
 * it emits nothing where stored models are in use, else the empty list.
 */
const refreshed = (
  workspaceId: string,
  hasStored: boolean,
  stored: FoundModels,
  deps: ModelsDeps,
): Observable<GivenModels> =>
  fetchBinary(workspaceId, deps).pipe(
    catchError((cause: unknown) => {
      deps.report('Failed fetching binary models, reverting to JSON.', cause);
      deps.metrics.count('sdk_models_missing_binary_count_total', 1);
      return fetchJson(workspaceId, deps);
    }),
    mergeMap((models) =>
      concat(
        writeStored({ models, fetched_at: deps.now() }, deps),
        of({ models, areOthers: textOf(models, deps) !== textOf(stored.models, deps) }),
      ),
    ),
    catchError((cause: unknown) => {
      deps.report('Failed fetching json models.', cause);
      const { models, fetchedAt } = stored;
      const paused$ = writeStored({ models, fetched_at: fetchedAt, failed_at: deps.now() }, deps);
      if (hasStored) return paused$;
      deps.report('Failed to refresh, using zero value.', cause);
      return concat(paused$, of({ models: [], areOthers: false }));
    }),
  );

/** Asks the page for models, and measures how long the answer took (spec C§7). */
const timedAsk = <Name extends 'binaryModels' | 'jsonModels'>(
  what: Name,
  workspaceId: string,
  { ask, metrics }: ModelsDeps,
): Observable<AnswerOf<Name>> =>
  defer(() => {
    const key = metrics.start('sdk_http_models_seconds', { format: what === 'binaryModels' ? 'binary' : 'json' });
    return ask(what, { params: { workspaceId } }).pipe(finalize(() => metrics.stop(key)));
  });

/** Downloads and decodes the binary file. Any fault in it is an error, which leads to the JSON file. */
const fetchBinary = (workspaceId: string, deps: ModelsDeps): Observable<readonly LookalikeModel[]> =>
  timedAsk('binaryModels', workspaceId, deps).pipe(
    mergeMap((file) => {
      const models = decodeModels(file);
      return models instanceof Error ? throwError(() => models) : of(models);
    }),
  );

/** Downloads and decodes the JSON file. A broken model in it is reported and costs itself. */
const fetchJson = (workspaceId: string, deps: ModelsDeps): Observable<readonly LookalikeModel[]> =>
  timedAsk('jsonModels', workspaceId, deps).pipe(
    mergeMap((answer) => {
      const file = decodeJsonModels(answer);
      if (file instanceof Error) return throwError(() => file);
      for (const error of file.errors) deps.report(`Query Language: ${error}`);
      return of(file.models);
    }),
  );

/** The stored models, when they came, and how many ms that and the latest failure are ago. */
interface FoundModels {
  readonly models: readonly LookalikeModel[];
  readonly fetchedAt: number;
  readonly age: number;
  readonly sinceFailure: number;
}

/** Reads the stored models. Models that are missing or cannot be read are infinitely old. */
const readStored = ({ store, json, now, report }: ModelsDeps): Observable<FoundModels> =>
  store.read(key).pipe(
    map((text) => {
      if (text === null) return noModels;
      const stored = readAs(StoredModels, json.parse(text));
      if (stored instanceof Error) throw stored;
      const { fetched_at, failed_at = -Infinity } = ownFields(stored);
      return {
        fetchedAt: fetched_at,
        // Where the clock was set back, the age is negative and the models count as fresh until the clock catches up.
        age: now() - fetched_at,
        // Nor does a clock that was set back lengthen the pause.
        sinceFailure: Math.abs(now() - failed_at),
        models: stored.models.map((model) => ({ ...model, weights: new Map(model.weights) })),
      };
    }),
    catchError((cause: unknown) => {
      report('Error fetching data from store', cause);
      return of(noModels);
    }),
  );
const noModels: FoundModels = { fetchedAt: 0, age: Infinity, sinceFailure: Infinity, models: [] };

/** Models as they are stored: JSON has no maps. */
const storedForm = (models: readonly LookalikeModel[]): StoredModels['models'] =>
  models.map((model) => ({ ...model, weights: [...model.weights] }));

const textOf = (models: readonly LookalikeModel[], { json }: ModelsDeps): string => json.stringify(storedForm(models));

/** The models to store, with the times of their download and of the latest one that failed. */
interface ToStore {
  readonly models: readonly LookalikeModel[];
  readonly fetched_at: number;
  readonly failed_at?: number;
}

/** Stores models. A failure is reported, and the models are used all the same. */
const writeStored = ({ models, ...times }: ToStore, { store, json, report }: ModelsDeps): Observable<never> =>
  defer(() => store.write(key, json.stringify({ ...times, models: storedForm(models) }))).pipe(
    mergeMap(() => EMPTY),
    catchError((cause: unknown) => {
      report('Lookalike models could not be stored', cause);
      return EMPTY;
    }),
  );
