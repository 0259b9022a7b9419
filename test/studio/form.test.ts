import * as fc from 'fast-check';

import { unions } from '../../project/language/constructs';
import type { Kind, UnionName } from '../../project/language/kinds';
import { isRecord, readAs } from '../../src/codecs/codecs';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { asConstruct, shownPath, withField, withPart, wrapped } from '../../studio/page/form/edit';
import { fieldsOf, type Form, formOf, jsonOf } from '../../studio/page/form/form';
import { lineOf, linesOf, operandsOf } from '../../studio/page/form/lines';
import { prettyJson } from '../../studio/page/form/prettyJson';
import { queries } from '../engine/support/language';
import { casesOf, law, lawOf } from '../support/laws';
import { anyDefinition } from './support/definitions';

const definition: Kind = { type: 'record', of: 'definition' };
const read = (json: unknown): Form => formOf(definition, json);
/** All parts of a form, with their paths. */
const partsOf = (form: Form, path: readonly (string | number)[] = []): readonly (readonly [typeof path, Form])[] => [
  [path, form],
  ...(form.type === 'list'
    ? form.items.flatMap((item, i) => partsOf(item, [...path, i]))
    : 'fields' in form
      ? Object.entries(form.fields).flatMap(([key, part]) => partsOf(part, [...path, key]))
      : []),
];
const isReadable = (json: unknown): boolean => !(readAs(DefinitionCodec, json) instanceof Error);

describe('The form of a definition', () => {
  test(
    'loses nothing: text, form and text again are equal for any definition of the language',
    law(anyDefinition, (json) => {
      const text = JSON.stringify(json);
      const there: unknown = JSON.parse(text);
      expect(jsonOf(read(there))).toStrictEqual(there);
      expect(JSON.stringify(jsonOf(read(there)))).toBe(text);
    }),
  );

  test(
    'loses nothing of the queries with which the engine is tested, and knows each part of them',
    law(queries(), (definitions) => {
      // Records of fast-check may lack a prototype, which JSON does not say.
      for (const each of JSON.parse(JSON.stringify(definitions)) as unknown[]) {
        expect(jsonOf(read(each))).toStrictEqual(each);
        expect(partsOf(read(each)).filter(([, { type }]) => type === 'raw')).toEqual([]);
      }
    }),
  );

  test(
    'is the same after it was written as text',
    law(anyDefinition, (json) => {
      const form = read(JSON.parse(JSON.stringify(json)));
      expect(read(JSON.parse(prettyJson(jsonOf(form))))).toStrictEqual(form);
    }),
  );

  test(
    'keeps what nobody knows, whatever it is',
    law(fc.jsonValue(), (json) => expect(jsonOf(read(json))).toStrictEqual(json)),
  );

  test('knows each part of what the engine can read', () => {
    let readable = 0;
    law(anyDefinition, (json) => {
      const there: unknown = JSON.parse(JSON.stringify(json));
      if (!isReadable(there)) return;
      readable++;
      expect(partsOf(read(there)).filter(([, { type }]) => type === 'raw')).toEqual([]);
    })();
    // The law would hold of nothing, if nothing could be read.
    expect(readable).toBeGreaterThan(casesOf(300) / 10);
  });

  test(
    'can be edited at any place, and what comes out can be judged',
    law(anyDefinition, fc.nat(), fc.nat(), (json, place, choice) => {
      const form = read(JSON.parse(JSON.stringify(json)));
      const parts = partsOf(form);
      const [path, part] = parts[place % parts.length]!;
      const edits = [
        undefined,
        ...(part.type === 'plain' ? [{ type: 'plain' as const, value: '' }] : []),
        ...(part.type === 'node'
          ? Object.keys(unions[part.union]).map((tag) => asConstruct(part, part.union, tag))
          : []),
        ...(part.type === 'node' ? (['and', 'or', 'not'] as const).map((tag) => wrapped(part, tag)) : []),
        ...Object.keys(fieldsOf(part)).map((key) => withField(part, key)),
      ];
      const edited = withPart(form, path, edits[choice % edits.length]);
      const text = JSON.stringify(jsonOf(edited));
      expect(JSON.stringify(jsonOf(read(JSON.parse(text))))).toBe(text);
      // The decoder says what is wrong of it, at a place that the form has.
      const judged = readAs(DefinitionCodec, JSON.parse(text));
      for (const { path: at } of judged instanceof Error ? judged.faults : [])
        expect(at.startsWith(shownPath(edited, at))).toBe(true);
    }),
  );

  test('changes a construct into another without losing what both have', () => {
    const change = (union: UnionName, json: unknown, tag: string): unknown =>
      jsonOf(asConstruct(formOf({ type: 'union', of: union }, json), union, tag));
    const where = { p: 'section', in: ['sport', 'arts'], fold: 'exact' };
    expect(change('pred', where, 'words')).toEqual({ p: 'section', words: ['sport', 'arts'], fold: 'exact' });
    expect(change('pred', { ...where, in: ['sport', 17] }, 'contains')).toEqual({
      p: 'section',
      contains: ['sport', '17'],
      fold: 'exact',
    });
    expect(change('pred', where, 'eq')).toEqual({ p: 'section', eq: 'sport', fold: 'exact' });
    expect(change('pred', { p: 'section', eq: 7 }, 'in')).toEqual({ p: 'section', in: [7] });
    expect(change('expr', { and: [{ cohort: '1' }, { cohort: '2' }] }, 'or')).toEqual({
      or: [{ cohort: '1' }, { cohort: '2' }],
    });
    expect(change('expr', { not: { cohort: '1' } }, 'and')).toEqual({ and: [{ cohort: '1' }] });
    expect(change('expr', { entered: '7', is: { gte: 2 }, within: { days: 3 } }, 'exited')).toEqual({
      exited: '7',
      is: { gte: 2 },
      within: { days: 3 },
    });
    // The window of a counted event may be a session, and that of a sequence may not.
    expect(change('expr', { event: 'Buy', within: 'session', buckets: 9 }, 'sequence')).toEqual({
      sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }],
      buckets: 9,
    });
  });
});

describe('Operands as lines', () => {
  const operand = fc.oneof(
    fc.string(),
    fc.constantFrom('', ' ', '1', '-0', '1e5', '"', '"a"', 'a\nb', 'a\r', '0x1', 'Infinity', 'NaN'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
  );

  test(
    'have one list each',
    law(fc.array(operand), (operands) => expect(operandsOf(linesOf(operands))).toStrictEqual(operands)),
  );

  test('are written as people write them', () => {
    expect(operandsOf('sport\n 17 \n\n"17"\nheat pump\n007')).toEqual(['sport', 17, '17', 'heat pump', '007']);
    expect(lineOf('sport')).toBe('sport');
  });
});

test('JSON is written on one line where it fits, and is the same JSON', () => {
  expect(prettyJson({ event: 'Pageview', is: { gte: 3 } })).toBe('{ "event": "Pageview", "is": { "gte": 3 } }');
  lawOf(100)(fc.jsonValue(), (json) => {
    const text = prettyJson(json);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(json)));
    expect(isRecord(json) && text.split('\n').some((line) => line.endsWith(' '))).toBe(false);
  })();
});
