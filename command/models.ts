import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { encodeModels, type PlainModel } from '../project/encodeModels';
import { decodeModels } from '../src/engine/models/lookalike';
import { command, WrongCall } from './command';

const isUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The cells of a line. A cell in quotes may have commas, and two quotes for one. */
const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );

/** What a file of weights has, and what is wrong in it, each with its line. */
interface ReadModels {
  readonly models: ReadonlyMap<string, Map<string, number>>;
  readonly faults: readonly string[];
}

const readModels = (text: string): ReadModels => {
  const models = new Map<string, Map<string, number>>();
  const faults: string[] = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const [model = '', feature = '', weight = ''] = cellsOf(line);
    const isHead = i === 0 && model === 'model';
    if (line.trim() === '' || isHead) return;
    const place = `line ${i + 1}`;
    const known = models.get(model) ?? new Map<string, number>();
    if (!isUuid.test(model)) faults.push(`${place}: ${model} is no id of a model; expected a UUID`);
    else if (feature === '') faults.push(`${place}: the feature is missing; write model,feature,weight`);
    else if (weight === '' || !Number.isFinite(Number(weight)))
      faults.push(`${place}: ${weight} is no number; expected the weight`);
    else if (known.has(feature)) faults.push(`${place}: ${feature} is there twice; leave one of both out`);
    else models.set(model, known.set(feature, Number(weight)));
  });
  for (const [model, weights] of models)
    if (!weights.has('const')) faults.push(`${model}: the intercept is missing; add a line ${model},const,WEIGHT`);
  return { models, faults };
};

/** Encodes lookalike models for the server that pages ask for them. */
export const models = command(
  {
    usage: 'FILE.csv --out FILE [--third-party] [--precision BITS]',
    summary:
      'Encodes lookalike models from lines `model,feature,weight`; the feature `const` is the intercept. --third-party: features are segments of providers.',
    options: {
      out: { type: 'string' },
      'third-party': { type: 'boolean', default: false },
      precision: { type: 'string', default: '16' },
    },
    operands: [1, 1],
  },
  ({ values: { out, precision, ...values }, positionals: [file = ''] }, io) => {
    if (out === undefined) throw new WrongCall('--out is missing: expected the file to write');
    const bits = Number(precision);
    if (!Number.isInteger(bits) || bits < 1 || bits > 32)
      throw new WrongCall(`--precision ${precision}: expected 1 to 32 bits`);
    const read = readModels(textOf(resolve(io.cwd, file), file));
    for (const fault of read.faults) io.err(fault);
    if (read.faults.length > 0) return 1;
    const plain = [...read.models].map(([id, weights]): PlainModel => ({
      id,
      data_preference: values['third-party'] ? '3p' : '1p',
      weights,
    }));
    const encoded = encodeModels(plain, { version: 2, precision: bits });
    // What no page would take is not written.
    const refused = decodeModels(encoded);
    if (refused instanceof Error) {
      io.err(`${file}: ${refused.message}`);
      return 1;
    }
    writeFileSync(resolve(io.cwd, out), Buffer.from(encoded));
    io.out(`${out}: ${plain.length} models, ${encoded.byteLength} bytes`);
    return 0;
  },
);

const textOf = (path: string, file: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new WrongCall(`there is no file ${file}`);
  }
};
