import { records, unions } from '../../../project/language/constructs';
import type { FieldTable } from '../../../project/language/kinds';
import { readAs } from '../../../src/codecs/codecs';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';

/** What is wrong with a definition, as the decoder says it; empty where nothing is. */
const saidOf = (json: unknown): string => {
  const judged = readAs(DefinitionCodec, json);
  return judged instanceof Error ? judged.message : '';
};
/** What is wrong with the condition of a definition, as the decoder says it. */
const faultsOf = (q: unknown): string => saidOf({ id: '1', q });
const faultsOfPred = (where: unknown): string => faultsOf({ event: 'A', where });

describe('The table of constructs', () => {
  const tagsIn = (said: string): readonly string[] =>
    (/with exactly one of ([\w, ]+)/.exec(said)?.[1] ?? '').split(', ');
  const keysIn = (said: string): readonly string[] => (/with only ([\w, ]+)/.exec(said)?.[1] ?? '').split(', ');
  const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

  test.each([
    ['expr', faultsOf],
    ['pred', faultsOfPred],
  ] as const)('has a row for each construct of the decoder, and its fields: %s', (union, said) => {
    expect(sorted(Object.keys(unions[union]))).toEqual(sorted(tagsIn(said({}))));
    for (const [tag, { fields }] of Object.entries(unions[union]))
      expect([tag, sorted(Object.keys(fields))]).toEqual([tag, sorted(keysIn(said({ [tag]: 0, unknown: 0 })))]);
  });

  test('says of each field whether it may be absent as the decoder does', () => {
    for (const [union, said] of [
      ['expr', faultsOf],
      ['pred', faultsOfPred],
    ] as const)
      for (const [tag, { start, fields }] of Object.entries(unions[union])) {
        // Ids that are still to be chosen are texts already.
        expect([tag, said(start)]).toEqual([tag, '']);
        const needed = Object.keys(fields).filter((key) => key !== tag && fields[key]?.isOptional !== true);
        for (const key of needed) {
          const less = Object.fromEntries(Object.entries(start).filter(([name]) => name !== key));
          expect([tag, key, said(less)]).not.toEqual([tag, key, '']);
        }
      }
  });

  test('begins each optional field with what the decoder accepts', () => {
    const tables: [FieldTable, Record<string, unknown>, (json: unknown) => unknown][] = [
      ...Object.values(unions.expr).map(({ fields, start }): (typeof tables)[number] => [
        fields,
        start,
        (q) => ({ id: '1', q, sub: [{ const: true }] }),
      ]),
      ...Object.values(unions.pred).map(({ fields, start }): (typeof tables)[number] => [
        fields,
        start,
        (where) => ({ id: '1', q: { event: 'A', where } }),
      ]),
      [records.definition, { id: '1', q: { const: true } }, (json) => json],
      [records.step, { event: 'A' }, (first) => ({ id: '1', q: { first, is: { p: 'a', exists: true } } })],
      [records.provider, { provider: 'a', in: [7] }, (thirdParty) => ({ id: '1', q: { thirdParty } })],
      [records.model, { model: 'a', gte: 0.5 }, (lookalike) => ({ id: '1', q: { lookalike } })],
    ];
    for (const [fields, begin, whole] of tables)
      for (const [key, field] of Object.entries(fields))
        if (field.isOptional === true && key !== 'hashed')
          expect([key, saidOf(whole({ ...begin, [key]: field.start }))]).toEqual([key, '']);
  });

  test('has words for people in each row', () => {
    const words = [...Object.values(unions.expr), ...Object.values(unions.pred)].flatMap(
      ({ label, help, group, fields }) => [
        ...[label, help, group],
        ...Object.values(fields).flatMap((field) => [field.label, field.help]),
      ],
    );
    expect(words.filter((each) => each.trim() === '')).toEqual([]);
  });
});
