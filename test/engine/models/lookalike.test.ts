import * as fc from 'fast-check';

import { encodeModels, type ModelFormat, type PlainModel } from '../../../project/encodeModels';
import { DecodeError } from '../../../src/codecs/codecs';
import {
  decodeJsonModels,
  decodeModels,
  type LookalikeModel,
  maxFeatures,
  maxFileBytes,
  maxModels,
} from '../../../src/engine/models/lookalike';
import { law } from '../../support/laws';
import { definitions, event, start, t0 } from '../support/run';

/** The weight of a feature as a number, or null where the model does not know it. */
const weightOf = ({ min, max, precision, weights }: LookalikeModel, feature: string): number | null => {
  const code = weights.get(feature);
  return code === undefined ? null : min + ((max - min) * Number.parseInt(code, 36)) / (2 ** precision - 1);
};

const id = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const v1Hex =
  '016f1b2c3d4e5f4a6b8c7d9e0f1a2b3c4d010cc008000000000000400400000000000000000024636f6e73742c303b3130312c3276663b3130322c3335723b31303030303030312c313564';
const v2Hex =
  '026f1b2c3d4e5f4a6b8c7d9e0f1a2b3c4d010cc04000004020000000000018303b32742c3276663b312c3335723b357962797a2c313564';
const vector: PlainModel = {
  id,
  data_preference: '1p',
  weights: new Map([
    ['const', -3],
    ['101', 2],
    ['102', 2.5],
    ['10000001', -1],
  ]),
};

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
const fromHex = (hex: string): ArrayBuffer => bufferOf(Buffer.from(hex, 'hex'));
const toHex = (file: ArrayBuffer): string => Buffer.from(file).toString('hex');
const read = (file: ArrayBuffer): readonly LookalikeModel[] => {
  const models = decodeModels(file);
  if (models instanceof Error) throw models;
  return models;
};
const errorOf = (file: ArrayBuffer): string => {
  const models = decodeModels(file);
  return models instanceof Error ? models.message : 'no error';
};

/** A record of version 2 with parts of it replaced. */
const record = ({
  body = '0;2t,2vf',
  precision = 12,
  data = 1,
  min = -3,
  max = 2.5,
  ...changes
}: {
  body?: string;
  precision?: number;
  data?: number;
  min?: number;
  max?: number;
  version?: number;
  id?: string;
  length?: number;
} = {}): ArrayBuffer => {
  const bytes = Buffer.alloc(31);
  bytes[0] = changes.version ?? 2;
  bytes.write((changes.id ?? id).replaceAll('-', ''), 1, 'hex');
  bytes[17] = data;
  bytes[18] = precision;
  bytes.writeFloatBE(min, 19);
  bytes.writeFloatBE(max, 23);
  bytes.writeUInt32BE(changes.length ?? body.length, 27);
  return bufferOf(Buffer.concat([bytes, Buffer.from(body, 'latin1')]));
};

describe('the example model', () => {
  it.each([
    [1, v1Hex, 75],
    [2, v2Hex, 55],
  ] as const)('version %d is the same in both directions', (version, hex, bytes) => {
    const file = fromHex(hex);
    expect(file.byteLength).toBe(bytes);
    expect(toHex(encodeModels([vector], { version, precision: 12 }))).toBe(hex);
    const [model, ...others] = read(file);
    expect(others).toEqual([]);
    expect(model).toMatchObject({ version, id, data_preference: '1p', precision: 12, min: -3, max: 2.5 });
    expect([...model!.weights]).toEqual([
      ['const', '0'],
      ['101', '2vf'],
      ['102', '35r'],
      ['10000001', '15d'],
    ]);
    expect(['const', '101', '102', '10000001'].map((feature) => weightOf(model!, feature)!.toFixed(7))).toEqual([
      '-3.0000000',
      '2.0003663',
      '2.5000000',
      '-1.0001221',
    ]);
    expect(weightOf(model!, 'toString')).toBeNull();
  });
});

describe('a model file', () => {
  it('may be empty', () => {
    expect(read(new ArrayBuffer(0))).toEqual([]);
  });

  it('holds records of both versions and of both kinds of data', () => {
    const third: PlainModel = {
      id,
      data_preference: '3p',
      weights: new Map([
        ['const', 0],
        ['acme:food, drink; 50%', 1],
      ]),
    };
    const files = [
      encodeModels([vector], { version: 1, precision: 12 }),
      encodeModels([third, vector], { version: 2, precision: 1 }),
    ];
    const models = read(bufferOf(Buffer.concat(files.map((file) => Buffer.from(file)))));
    expect(models.map(({ version, data_preference }) => [version, data_preference])).toEqual([
      [1, '1p'],
      [2, '3p'],
      [2, '1p'],
    ]);
    expect(weightOf(models[1]!, 'acme:food, drink; 50%')).toBe(1);
  });

  it('holds features with any name', () => {
    const names = ['__proto__', 'constructor', 'toString', '007', '9007199254740993', '-1', 'ünïcode 🎈', '~', '0'];
    const weights = new Map(['const', ...names].map((name, i) => [name, i]));
    for (const version of [1, 2] as const) {
      const [model] = read(encodeModels([{ id, data_preference: '1p', weights }], { version, precision: 16 }));
      expect([...model!.weights.keys()].sort()).toEqual([...weights.keys()].sort());
      expect(weightOf(model!, '__proto__')).toBeCloseTo(1, 3);
    }
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });

  it('may have equal weights only', () => {
    const [model] = read(
      encodeModels(
        [
          {
            id,
            data_preference: '1p',
            weights: new Map([
              ['const', 0.1],
              ['5', 0.1],
            ]),
          },
        ],
        { version: 1, precision: 32 },
      ),
    );
    expect(weightOf(model!, '5')).toBe(0.1);
  });
});

describe('an unreadable file', () => {
  const malformed = (at: number, why: string): string => `Malformed lookalike model at byte ${at}: ${why}.`;
  const badWeight = 'a weight is not a base-36 number within the precision';
  const badEntry = 'an entry is not a feature and a weight';

  it.each([0, 3, 49, 255])('is one of version %d', (version) => {
    expect(errorOf(record({ version }))).toBe(
      `Unsupported lookalike model version. Supported versions: 1, 2. Supplied version: ${version}.`,
    );
  });

  it.each([
    ['is cut off inside the id', record().slice(0, 16)],
    ['has the nil id', record({ id: '00000000-0000-0000-0000-000000000000' })],
    ['has an id of another variant', record({ id: '6f1b2c3d-4e5f-4a6b-cc7d-9e0f1a2b3c4d' })],
  ])('%s', (_what, file) => {
    expect(errorOf(file)).toBe("Couldn't decode model id");
  });

  it.each([
    ['is cut off behind the id', record().slice(0, 17), 17, 'the file ends too early'],
    ['is cut off inside a limit', record().slice(0, 25), 23, 'the file ends too early'],
    ['is cut off inside the length', record().slice(0, 30), 27, 'the file ends too early'],
    ['has a body shorter than it says', record({ length: 9 }), 31, 'the file ends too early'],
    ['has another preference of data', record({ data: 2 }), 17, 'the data preference is neither 1 nor 3'],
    ['has no precision', record({ precision: 0 }), 18, 'the precision is not from 1 to 32'],
    ['has too high a precision', record({ precision: 33 }), 18, 'the precision is not from 1 to 32'],
    [
      'has its limits in the wrong order',
      record({ min: 2, max: 1 }),
      19,
      'the limits are not two finite numbers in order',
    ],
    ['has a limit that is no number', record({ max: NaN }), 19, 'the limits are not two finite numbers in order'],
    ['has an infinite limit', record({ max: Infinity }), 19, 'the limits are not two finite numbers in order'],
    ['has a weight beyond the precision', record({ body: '0;1,35s' }), 33, badWeight],
    ['has a weight with a leading zero', record({ body: '00' }), 31, badWeight],
    ['has a weight in capitals', record({ body: '0;1,A' }), 33, badWeight],
    ['has a signed weight', record({ body: '0;1,-1' }), 33, badWeight],
    ['has an empty body', record({ body: '' }), 31, badWeight],
    ['repeats a number', record({ body: '0;5,1;0,1' }), 37, 'a feature is repeated'],
    ['repeats a number under its name', record({ body: '0;5,1;~5,1' }), 37, 'a feature is repeated'],
    ['repeats the intercept', record({ body: '0;~const,1' }), 33, 'a feature is repeated'],
    ['has a gap that is no number', record({ body: '0;x!,1' }), 33, 'a gap is not a base-36 number'],
    ['has a gap beyond all numbers', record({ body: '0;zzzzzzzzzzzz,1' }), 33, 'a gap is not a base-36 number'],
    ['has an entry without a weight', record({ body: '0;5' }), 33, badEntry],
    ['has an entry with two weights', record({ body: '0;5,1,1' }), 33, badEntry],
    ['has an empty entry', record({ body: '0;' }), 33, badEntry],
    ['has a feature without a name', record({ body: '0;~,1' }), 33, 'a feature is not a percent-encoded name'],
    ['has a badly encoded feature', record({ body: '0;~%zz,1' }), 33, 'a feature is not a percent-encoded name'],
    ['is not ASCII', record({ body: '0;~é,1' }), 34, 'the body is not ASCII'],
  ])('%s', (_what, file, at, why) => {
    expect(errorOf(file)).toBe(malformed(at, why));
  });

  it('is one of version 1 without an intercept', () => {
    const file = Buffer.from(
      v1Hex.replace(Buffer.from('const,0').toString('hex'), Buffer.from('konst,0').toString('hex')),
      'hex',
    );
    expect(errorOf(bufferOf(file))).toBe(malformed(39, 'const is missing'));
  });

  it('is refused as a whole, whichever record is wrong', () => {
    const good = Buffer.from(record());
    const file = bufferOf(Buffer.concat([good, Buffer.from(record({ precision: 0 }))]));
    expect(errorOf(file)).toBe(malformed(good.length + 18, 'the precision is not from 1 to 32'));
  });

  it(
    'never throws, whatever its bytes',
    law(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom(...[v1Hex, v2Hex].map((hex) => Buffer.from(hex, 'hex'))),
      fc.nat(80),
      (noise, valid, at) => {
        expect(() => decodeModels(bufferOf(noise))).not.toThrow();
        const spoilt = Buffer.from(valid);
        noise.forEach((byte, i) => (spoilt[(at + i) % spoilt.length] = byte));
        const models = decodeModels(bufferOf(spoilt));
        if (!(models instanceof Error)) for (const { weights } of models) expect(weights.has('const')).toBe(true);
      },
    ),
  );
});

describe('every weight', () => {
  const weight = fc.oneof(
    fc.double({ min: -20, max: 20, noNaN: true }),
    fc.double({ min: -1e30, max: 1e30, noNaN: true }),
    fc.constantFrom(0, -0, 1e-40, -1e-40, 0.1),
  );
  const feature = fc.oneof(
    fc.nat().map(String),
    fc.maxSafeNat().map(String),
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.constantFrom('__proto__', 'constructor', '0', '01'),
  );
  const model = fc
    .record({
      id: fc.uuid(),
      data: fc.constantFrom('1p' as const, '3p' as const),
      weights: fc.uniqueArray(fc.tuple(feature, weight), { maxLength: 12, selector: ([name]) => name }),
      intercept: weight,
    })
    .map(({ id: uuid, data, weights, intercept }): PlainModel => ({
      id: uuid,
      data_preference: data,
      weights: new Map([...weights, ['const', intercept]]),
    }));
  const format = fc.record<ModelFormat>({ version: fc.constantFrom(1, 2), precision: fc.integer({ min: 1, max: 32 }) });

  it(
    'comes back within half a step',
    law(fc.array(model, { maxLength: 4 }), format, (models, how) => {
      const decoded = read(encodeModels(models, how));
      expect(decoded.map(({ id: uuid, data_preference }) => ({ id: uuid, data_preference }))).toEqual(
        models.map(({ id: uuid, data_preference }) => ({ id: uuid, data_preference })),
      );
      decoded.forEach((found, i) => {
        const wanted = models[i]!.weights;
        expect(new Set(found.weights.keys())).toEqual(new Set(wanted.keys()));
        const halfStep = (found.max - found.min) / (2 ** how.precision - 1) / 2;
        // Beside the step there is only what the arithmetic of doubles itself rounds off.
        const rounding = 4 * Number.EPSILON * Math.max(Math.abs(found.min), Math.abs(found.max)) + Number.MIN_VALUE;
        for (const [name, weightOfName] of wanted)
          expect(Math.abs(weightOf(found, name)! - weightOfName)).toBeLessThanOrEqual(halfStep * (1 + 1e-9) + rounding);
      });
    }),
  );
});

describe('the encoder', () => {
  const encode =
    (weights: readonly (readonly [string, number])[], precision = 12, version: 1 | 2 = 2): (() => unknown) =>
    () =>
      encodeModels([{ id, data_preference: '1p', weights: new Map(weights) }], { version, precision });

  it.each([
    ['a precision of 0', encode([['const', 1]], 0)],
    ['a precision of 33', encode([['const', 1]], 33)],
    ['weights without const', encode([['5', 1]])],
    ['a weight that is no number', encode([['const', NaN]])],
    ['weights beyond 32-bit floats', encode([['const', 1e300]])],
  ])('refuses %s', (_what, act) => {
    expect(act).toThrow(RangeError);
  });
});

describe('the limits of a binary file', () => {
  const repeated = (count: number): ArrayBuffer =>
    bufferOf(Buffer.concat(Array.from({ length: count }, () => Buffer.from(record()))));
  /** A body of the intercept and so many features, each with a gap of 1 to the one before. */
  const bodyOf = (features: number): string => `0${';1,0'.repeat(features)}`;

  it('are 500 models', () => {
    expect(read(repeated(maxModels))).toHaveLength(maxModels);
    expect(errorOf(repeated(maxModels + 1))).toBe('More than 500 lookalike models.');
  });

  it('are 50,000 features of a model', () => {
    expect(read(record({ body: bodyOf(maxFeatures - 1) }))[0]?.weights.size).toBe(maxFeatures);
    expect(errorOf(record({ body: bodyOf(maxFeatures) }))).toMatch(/more than 50000 features\.$/);
  });

  it('are a million bytes', () => {
    const name = (letters: number): ArrayBuffer => record({ body: `0;~${'a'.repeat(letters)},0` });
    const most = maxFileBytes - name(0).byteLength;
    expect(read(name(most))).toHaveLength(1);
    expect(errorOf(name(most + 1))).toBe('Lookalike models of more than 1000000 bytes.');
  });
});

describe('the JSON file', () => {
  const file = (text: string): { readonly models: readonly LookalikeModel[]; readonly errors: readonly string[] } => {
    const result = decodeJsonModels(JSON.parse(text));
    if (result instanceof Error) throw result;
    return result;
  };

  it('is loaded with precision 32 between its own limits', () => {
    const { models, errors } = file(
      `{"models":{"${id.toUpperCase()}":{"1p":{"const":-3,"101":2.0,"__proto__":0.5},"3p":{"const":1}}}}`,
    );
    expect(errors).toEqual([]);
    expect(models).toHaveLength(2);
    expect(models[0]).toMatchObject({ version: 1, id, data_preference: '1p', precision: 32, min: -3, max: 2 });
    expect(['const', '101', '__proto__'].map((feature) => weightOf(models[0]!, feature)!.toFixed(6))).toEqual([
      '-3.000000',
      '2.000000',
      '0.500000',
    ]);
    expect(models[1]).toMatchObject({ data_preference: '3p', min: 1, max: 1 });
    expect(weightOf(models[1]!, 'const')).toBe(1);
  });

  it.each([
    [
      'an id that is no UUID',
      '"model":{"1p":{"const":1}}',
      'Malformed lookalike model model: no UUID with its weights.',
    ],
    [
      'the id __proto__',
      '"__proto__":{"1p":{"const":1}}',
      'Malformed lookalike model __proto__: no UUID with its weights.',
    ],
    [
      'no tables',
      `"00000000-0000-4000-8000-000000000000":[]`,
      'Malformed lookalike model 00000000-0000-4000-8000-000000000000: no UUID with its weights.',
    ],
    [
      'a table without const',
      `"00000000-0000-4000-8000-000000000000":{"1p":{"5":1}}`,
      'Malformed lookalike model 00000000-0000-4000-8000-000000000000: 1p is not a table of numbers with const.',
    ],
    [
      'a weight that is text',
      `"00000000-0000-4000-8000-000000000000":{"3p":{"const":"1"}}`,
      'Malformed lookalike model 00000000-0000-4000-8000-000000000000: 3p is not a table of numbers with const.',
    ],
    [
      'a table that is a list',
      `"00000000-0000-4000-8000-000000000000":{"3p":[1]}`,
      'Malformed lookalike model 00000000-0000-4000-8000-000000000000: 3p is not a table of numbers with const.',
    ],
    [
      'weights too far apart',
      `"00000000-0000-4000-8000-000000000000":{"3p":{"const":-1e308,"5":1e308}}`,
      'Malformed lookalike model 00000000-0000-4000-8000-000000000000: the weights of 3p are too far apart.',
    ],
  ])('loses only the model with %s', (_what, entry, message) => {
    const { models, errors } = file(`{"models":{${entry},"${id}":{"1p":{"const":1}}}}`);
    expect(errors).toEqual([message]);
    expect(models.map((model) => model.id)).toEqual([id]);
  });

  it('is read up to 500 ids', () => {
    const models = (count: number) =>
      decodeJsonModels({
        models: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [
            `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
            { '1p': { const: 1 } },
          ]),
        ),
      });
    expect(models(maxModels)).toMatchObject({ models: { length: maxModels }, errors: [] });
    expect(models(maxModels + 1)).toMatchObject({
      models: { length: maxModels },
      errors: ['More than 500 lookalike models.'],
    });
  });

  it('loses only the model with more than 50,000 features', () => {
    const table = (features: number): object => ({
      const: 1,
      ...Object.fromEntries(Array.from({ length: features - 1 }, (_, i) => [i, 1] as const)),
    });
    const other = '00000000-0000-4000-8000-000000000000';
    const models = (features: number) =>
      decodeJsonModels({ models: { [other]: { '3p': table(features) }, [id]: { '1p': { const: 1 } } } });
    expect(models(maxFeatures)).toMatchObject({ models: [{ id: other }, { id }], errors: [] });
    expect(models(maxFeatures + 1)).toMatchObject({
      models: [{ id }],
      errors: [`Malformed lookalike model ${other}: 3p has more than 50000 features.`],
    });
  });

  it.each([null, [], 'x', {}, { models: [] }, { models: null }])('is not %j', (input) => {
    expect(decodeJsonModels(input)).toBeInstanceOf(DecodeError);
  });
});

describe('a decoded model', () => {
  it('scores in the engine', () => {
    const queries = definitions(
      { event: 'A' },
      { lookalike: { model: id, gte: 0.26 } },
      { lookalike: { model: id, gte: 0.28 } },
    );
    const weights = new Map([
      ['const', -3],
      ['1', 2],
    ]);
    const lookalike = read(encodeModels([{ id, data_preference: '1p', weights }], { version: 2, precision: 12 }));
    const engine = start(queries, { lookups: { lookalike } });
    expect(engine.members()).toEqual([]);
    // 1 / (1 + e) is 0.269.
    engine.process([event('A', t0)], t0);
    expect(engine.members()).toEqual(['1', '2']);
  });
});
