export interface Model {
  readonly id: string;
  /** Weight of each feature, `const` among them. */
  readonly weights: ReadonlyMap<string, number>;
}

const version = 2;
const firstParty = 1;
const precision = 12;
const headerBytes = 31;

/** The models as one file of version 2: records back to back, big-endian. Smallest and largest weight must be 32-bit floats. */
export const encodeModels = (models: readonly Model[]): ArrayBuffer => {
  const records = models.map(encodeModel);
  const file = new Uint8Array(records.reduce((bytes, { length }) => bytes + length, 0));
  records.reduce((offset, record) => {
    file.set(record, offset);
    return offset + record.length;
  }, 0);
  return file.buffer;
};

const encodeModel = ({ id, weights }: Model): Uint8Array => {
  const min = Math.min(...weights.values());
  const max = Math.max(...weights.values());
  const body = new TextEncoder().encode(encodeWeights(weights, (weight) => (max === min ? 0 : Math.round(((weight - min) / (max - min)) * (2 ** precision - 1))).toString(36)));
  const record = new Uint8Array(headerBytes + body.length);
  const view = new DataView(record.buffer);
  view.setUint8(0, version);
  record.set(Buffer.from(id.replaceAll('-', ''), 'hex'), 1);
  view.setUint8(17, firstParty);
  view.setUint8(18, precision);
  view.setFloat32(19, min);
  view.setFloat32(23, max);
  view.setUint32(27, body.length);
  record.set(body, headerBytes);
  return record;
};

/** The weight of `const`, numbered features as the gap to the one before, then the others by name. */
const encodeWeights = (weights: ReadonlyMap<string, number>, code: (weight: number) => string): string => {
  const features = [...weights].filter(([feature]) => feature !== 'const');
  const numbered = features.filter(([feature]) => isNumber(feature)).map(([feature, weight]) => [Number(feature), weight] as const);
  numbered.sort(([a], [b]) => a - b);
  return [
    code(weights.get('const') ?? 0),
    ...numbered.map(([feature, weight], i) => `${(feature - (numbered[i - 1]?.[0] ?? 0)).toString(36)},${code(weight)}`),
    ...features.filter(([feature]) => !isNumber(feature)).map(([feature, weight]) => `~${encodeURIComponent(feature)},${code(weight)}`),
  ].join(';');
};

const isNumber = (feature: string): boolean => /^[1-9]\d{0,14}$/.test(feature);
