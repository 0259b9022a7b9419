import { type DecodeError, isRecord, readAs, shape, value } from '../../codecs/codecs';
import { fold, times } from '../../primitives/lists';
import { open } from '../language/storedCodecs';
import type { LookalikeModel } from './scores';

export type { LookalikeModel } from './scores';

// A file of models is records back to back, big-endian: version, id, data preference, precision, smallest and largest
// weight, length of the body, body. The limits are 64-bit floats in version 1 and 32-bit floats in version 2. The body
// is text: features with their weights, each weight an integer that stands for a place between the limits (spec S§3).

/** Bytes of a binary file. The file is decoded in one task. */
export const maxFileBytes = 1_000_000;
/** Models of a file: ids, of which a JSON file may have two models each. A project has a few dozen. */
export const maxModels = 500;
/** Features of a model: cohorts, or third-party segments. */
export const maxFeatures = 50_000;

/**
 * Decodes the binary file of models. An empty file has none. Whatever is wrong, the whole file is refused: after a
 * fault the beginning of the next record cannot be found. A file beyond the limits is wrong too.
 */
export const decodeModels = (file: ArrayBuffer): readonly LookalikeModel[] | Error => {
  try {
    if (file.byteLength > maxFileBytes) throw new Error(`Lookalike models of more than ${maxFileBytes} bytes.`);
    const reader = new ModelReader(file);
    const models: LookalikeModel[] = [];
    while (reader.left > 0) {
      if (models.length === maxModels) throw new Error(tooManyModels);
      models.push(readModel(reader));
    }
    return models;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** What a model file in JSON holds: the models that could be read, and what was wrong with the others. */
export interface JsonModelFile {
  readonly models: readonly LookalikeModel[];
  /** One message for each of the others. */
  readonly errors: readonly string[];
}

/**
 * Decodes the JSON fallback `{models: {id: {"1p": {feature: weight}, "3p": …}}}` (spec S§3). A broken model costs
 * itself only, because the others can still be found, and so does one past the limit; a file of another shape is an
 * error.
 */
export const decodeJsonModels = (input: unknown): JsonModelFile | DecodeError => {
  const file = readAs(ModelFile, input);
  if (file instanceof Error) return file;
  const entries = Object.entries(file.models);
  const found = entries.slice(0, maxModels).flatMap(([id, byData]) => readJsonModels(id, byData));
  return {
    models: found.filter((model) => typeof model !== 'string'),
    errors: [
      ...found.filter((model) => typeof model === 'string'),
      ...(entries.length > maxModels ? [tooManyModels] : []),
    ],
  };
};

const tooManyModels = `More than ${maxModels} lookalike models.`;

const idBytes = 16;
const smallestVariant = 0x80;

/** The largest integer of so many bits. */
const highest = (precision: number): number => 2 ** precision - 1;

const malformedModel = (offset: number, why: string): Error =>
  new Error(`Malformed lookalike model at byte ${offset}: ${why}.`);

/** Reads a file from front to back. Throws when it ends within a field. */
class ModelReader {
  offset = 0;
  private readonly view: DataView;

  constructor(file: ArrayBuffer) {
    this.view = new DataView(file);
  }

  get left(): number {
    return this.view.byteLength - this.offset;
  }

  /** A big-endian number of so many bytes. */
  field(read: 'getUint8' | 'getUint32' | 'getFloat32' | 'getFloat64', bytes: number): number {
    if (this.left < bytes) throw malformedModel(this.offset, 'the file ends too early');
    const number = this.view[read](this.offset);
    this.offset += bytes;
    return number;
  }

  byte(): number {
    return this.field('getUint8', 1);
  }

  /** So many bytes of ASCII text. Throws at the first byte that is none. */
  text(bytes: number): string {
    if (this.left < bytes) throw malformedModel(this.offset, 'the file ends too early');
    const codes = new Uint8Array(this.view.buffer, this.offset, bytes);
    const wide = codes.findIndex((code) => code > 0x7f);
    if (wide >= 0) throw malformedModel(this.offset + wide, 'the body is not ASCII');
    this.offset += bytes;
    let text = '';
    for (const code of codes) text += String.fromCharCode(code);
    return text;
  }
}

/** Reads one record. Throws an error that says what is wrong with the record, and where. */
const readModel = (reader: ModelReader): LookalikeModel => {
  const version = reader.byte();
  if (version !== 1 && version !== 2)
    throw new Error(`Unsupported lookalike model version. Supported versions: 1, 2. Supplied version: ${version}.`);
  const id = readId(reader);
  const data = reader.byte();
  if (data !== 1 && data !== 3) throw malformedModel(reader.offset - 1, 'the data preference is neither 1 nor 3');
  const precision = reader.byte();
  if (precision < 1 || precision > 32) throw malformedModel(reader.offset - 1, 'the precision is not from 1 to 32');
  const at = reader.offset;
  const [min, max] =
    version === 1
      ? [reader.field('getFloat64', 8), reader.field('getFloat64', 8)]
      : [reader.field('getFloat32', 4), reader.field('getFloat32', 4)];
  // Written this way round, NaN fails too.
  if (!(min <= max) || !Number.isFinite(max - min))
    throw malformedModel(at, 'the limits are not two finite numbers in order');
  const length = reader.field('getUint32', 4);
  const start = reader.offset;
  const weights = readBody(reader.text(length), version, start, precision);
  return { version, id, data_preference: data === 1 ? '1p' : '3p', precision, min, max, weights };
};

const readId = (reader: ModelReader): string => {
  const bytes = reader.left < idBytes ? [] : times(idBytes, () => reader.byte());
  // The variant bits of an id say that it is a UUID of RFC 4122; the nil id has none.
  if (((bytes[8] ?? 0) & 0xc0) !== smallestVariant) throw new Error("Couldn't decode model id");
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const base36 = /^(?:0|[1-9a-z][\da-z]*)$/;

/**
 * Reads the features of a record, which begins at `start` of the file, with their weights. Version 1:
 * `{feature},{weight}` between semicolons, the intercept under the name `const`. Version 2: the intercept first, then
 * numeric features in ascending order as gaps to the one before, then others after a tilde. Names are percent-encoded,
 * numbers in base 36.
 */
const readBody = (body: string, version: 1 | 2, start: number, precision: number): ReadonlyMap<string, string> => {
  const weights = new Map<string, string>();
  let offset = start;
  let previous = 0;
  const add = (feature: string, code: string): void => {
    if (!base36.test(code) || Number.parseInt(code, 36) > highest(precision))
      throw malformedModel(offset, 'a weight is not a base-36 number within the precision');
    if (weights.size === maxFeatures) throw malformedModel(offset, `more than ${maxFeatures} features`);
    if (weights.has(feature)) throw malformedModel(offset, 'a feature is repeated');
    weights.set(feature, code);
  };
  for (const item of body.split(';')) {
    const [name = '', code = '', ...more] = item.split(',');
    // The intercept of version 2 has no name.
    if (version === 2 && offset === start) add('const', item);
    else if (item === '' || code === '' || more.length > 0)
      throw malformedModel(offset, 'an entry is not a feature and a weight');
    else if (version === 1 || name.startsWith('~')) add(featureOf(version === 1 ? name : name.slice(1), offset), code);
    else add(String((previous = numberAfter(previous, name, offset))), code);
    offset += item.length + 1;
  }
  if (!weights.has('const')) throw malformedModel(start, 'const is missing');
  return weights;
};

/** The number of a feature of version 2, written as the gap to the one before. */
const numberAfter = (previous: number, gap: string, offset: number): number => {
  const number = base36.test(gap) ? previous + Number.parseInt(gap, 36) : NaN;
  if (!Number.isSafeInteger(number)) throw malformedModel(offset, 'a gap is not a base-36 number');
  return number;
};

/** The name of a feature; an empty one is as wrong as one that cannot be decoded. */
const featureOf = (encoded: string, offset: number): string => {
  try {
    const feature = decodeURIComponent(encoded);
    if (feature !== '') return feature;
  } catch {
    // Reported below, as an empty name is.
  }
  throw malformedModel(offset, 'a feature is not a percent-encoded name');
};

const ModelFile = open('a model file', shape({ models: value('an object', isRecord) }));

const uuidPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const dataKinds = ['1p', '3p'] as const;
/** Weights of the JSON file are brought to the highest precision, so that both files give models of one form. */
const jsonPrecision = 32;

/** The models of one id, or messages of what is wrong with them. */
const readJsonModels = (id: string, byData: unknown): readonly (LookalikeModel | string)[] => {
  if (!uuidPattern.test(id) || !isRecord(byData)) return [`Malformed lookalike model ${id}: no UUID with its weights.`];
  return dataKinds.filter((data) => Object.hasOwn(byData, data)).map((data) => readJsonModel(id, data, byData[data]));
};

/**
 * A model of weights that are plain numbers, or a message of what is wrong with it. The limits are the smallest and the
 * largest weight.
 */
const readJsonModel = (id: string, data: '1p' | '3p', table: unknown): LookalikeModel | string => {
  const weights = isRecord(table) ? Object.entries(table) : [];
  if (weights.length > maxFeatures)
    return `Malformed lookalike model ${id}: ${data} has more than ${maxFeatures} features.`;
  const numbers = weights
    .map(([, weight]) => weight)
    .filter((weight) => typeof weight === 'number' && Number.isFinite(weight)) as number[];
  if (numbers.length < weights.length || !weights.some(([feature]) => feature === 'const'))
    return `Malformed lookalike model ${id}: ${data} is not a table of numbers with const.`;
  const min = fold(numbers, Infinity, (least, weight) => Math.min(least, weight));
  const max = fold(numbers, -Infinity, (most, weight) => Math.max(most, weight));
  if (!Number.isFinite(max - min)) return `Malformed lookalike model ${id}: the weights of ${data} are too far apart.`;
  const codes = new Map(
    weights.map(([feature, weight]) => [feature, weightCode(weight as number, min, max, jsonPrecision)]),
  );
  // Version 1, for its limits are 64-bit floats too.
  return {
    version: 1,
    id: id.toLowerCase(),
    data_preference: data,
    precision: jsonPrecision,
    min,
    max,
    weights: codes,
  };
};

/**
 * A weight as the base-36 integer that stands for it between the limits. Off by at most half a step of the precision.
 */
export const weightCode = (weight: number, min: number, max: number, precision: number): string =>
  (max === min ? 0 : Math.round(((weight - min) / (max - min)) * highest(precision))).toString(36);
