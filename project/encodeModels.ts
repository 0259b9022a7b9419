import { weightCode } from '../src/engine/models/lookalike';

// The inverse of `decodeModels`, for the server's side. No page loads it.

/** A model with its weights as they are, the intercept under `const`. */
export interface PlainModel {
  readonly id: string;
  readonly data_preference: '1p' | '3p';
  readonly weights: ReadonlyMap<string, number>;
}

export interface ModelFormat {
  readonly version: 1 | 2;
  /** Bits of a weight, 1 to 32. */
  readonly precision: number;
}

/** The models as one binary file. A weight comes back within half a step of the precision. */
export const encodeModels = (models: readonly PlainModel[], format: ModelFormat): ArrayBuffer => {
  const records = models.map((model) => encodeModel(model, format));
  const file = new Uint8Array(records.reduce((bytes, { length }) => bytes + length, 0));
  let offset = 0;
  for (const record of records) {
    file.set(record, offset);
    offset += record.length;
  }
  return file.buffer;
};

const encodeModel = ({ id, data_preference, weights }: PlainModel, { version, precision }: ModelFormat): Uint8Array => {
  if (!Number.isInteger(precision) || precision < 1 || precision > 32)
    throw new RangeError('the precision is not from 1 to 32');
  const intercept = weights.get('const');
  if (intercept === undefined) throw new RangeError('const is missing');
  const { min, max } = limitsOf([...weights.values()], version);
  const code = (weight: number): string => weightCode(weight, min, max, precision);
  const others = [...weights]
    .filter(([feature]) => feature !== 'const')
    .map(([feature, weight]) => [feature, code(weight)] as const);
  const items =
    version === 1 ? [`const,${code(intercept)}`, ...others.map(named)] : [code(intercept), ...numberedFirst(others)];
  const body = items.join(';');
  const floatBytes = version === 1 ? 8 : 4;
  const headerBytes = 23 + 2 * floatBytes;
  const record = new Uint8Array(headerBytes + body.length);
  const view = new DataView(record.buffer);
  const setFloat = (offset: number, value: number): void =>
    version === 1 ? view.setFloat64(offset, value) : view.setFloat32(offset, value);
  view.setUint8(0, version);
  record.set(bytesOf(id), 1);
  view.setUint8(17, data_preference === '1p' ? 1 : 3);
  view.setUint8(18, precision);
  setFloat(19, min);
  setFloat(19 + floatBytes, max);
  view.setUint32(headerBytes - 4, body.length);
  // The body is ASCII: features are percent-encoded.
  for (let i = 0; i < body.length; i++) view.setUint8(headerBytes + i, body.charCodeAt(i));
  return record;
};

type Coded = readonly [feature: string, code: string];

const named = ([feature, code]: Coded): string => `${encodeURIComponent(feature)},${code}`;

/** Numbered features as the gap to the one before, then the others by name. */
const numberedFirst = (features: readonly Coded[]): readonly string[] => {
  const numbered = features
    .filter(([feature]) => isNumber(feature))
    .map(([feature, code]) => [Number(feature), code] as const);
  numbered.sort(([a], [b]) => a - b);
  return [
    ...numbered.map(([number, code], i) => `${(number - (numbered[i - 1]?.[0] ?? 0)).toString(36)},${code}`),
    ...features.filter(([feature]) => !isNumber(feature)).map((feature) => `~${named(feature)}`),
  ];
};

/** Whether the number gives the same text back. */
const isNumber = (feature: string): boolean =>
  /^(?:0|[1-9]\d*)$/.test(feature) && Number.isSafeInteger(Number(feature));

const bytesOf = (id: string): readonly number[] =>
  Array.from(id.replaceAll('-', '').match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));

/** The limits that a record can hold and that no weight is beyond. */
const limitsOf = (weights: readonly number[], version: 1 | 2): { readonly min: number; readonly max: number } => {
  const least = weights.reduce((a, b) => Math.min(a, b), Infinity);
  const most = weights.reduce((a, b) => Math.max(a, b), -Infinity);
  const [min, max] = version === 1 ? [least, most] : [-floatNotBelow(-least), floatNotBelow(most)];
  if (!Number.isFinite(max - min)) throw new RangeError('the weights are not finite or too far apart');
  return { min, max };
};

/** The next 32-bit float that is not below a number. */
const floatNotBelow = (number: number): number => {
  const near = Math.fround(number);
  if (near >= number) return near;
  const float = new Float32Array([near]);
  const bits = new Int32Array(float.buffer);
  // Neighbouring floats are neighbouring integers, counted away from zero on either side.
  bits[0] = (bits[0] ?? 0) + (near < 0 ? -1 : 1);
  return float[0] ?? near;
};
