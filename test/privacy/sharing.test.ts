import { GppModel, Sections } from '@iabgpp/cmpapi';

import { isOptOut } from '../../src/privacy/sharing';

/** The sections of the United States that the encoder of the IAB knows, and the fields of each. */
const sections = [...Sections.SECTION_ORDER]
  .filter((name) => name.startsWith('us'))
  .map((name) => ({ name, fields: Object.keys(sectionWith(name, versionOf(name), 1)) }));

/** Sections of the newer states have another name for their version. */
function versionOf(name: string): string {
  return ['usmd', 'usin', 'usky', 'usri'].includes(name) ? 'MspaVersion' : 'Version';
}

/** A section as a platform tells it, with one field of this value: encoded and decoded again. */
function sectionWith(name: string, field: string, value: unknown): Readonly<Record<string, unknown>> {
  const model = new GppModel();
  model.setFieldValue(name, field, value);
  // Maryland alone leaves out its segment for Global Privacy Control unless that is asked for.
  if (name === 'usmd' && field === 'Gpc') model.setFieldValue(name, 'GpcSegmentIncluded', true);
  return new GppModel(model.encode()).getSection(name) as Readonly<Record<string, unknown>>;
}

/** Fields by which a visitor objects, and not those by which a publisher says that a choice was offered. */
const choices = ({ fields }: { readonly fields: readonly string[] }): readonly string[] =>
  fields.filter((field) => field.includes('OptOut') && !/Notice$|^Mspa/.test(field));

describe('An objection to sharing by GPP', () => {
  it('is known in sections of all states that the encoder of the IAB has', () => {
    expect(sections.map(({ name }) => name).join(' ')).toBe(
      'uspv1 usnat usca usva usco usut usct usfl usmt usor ustx usde usia usne usnh usnj ustn usmn usmd usin usky usri',
    );
    expect([...new Set(sections.flatMap(choices))].sort()).toEqual([
      'OptOutSale',
      'SaleOptOut',
      'SharingOptOut',
      'TargetedAdvertisingOptOut',
    ]);
    // No section is without one.
    expect(sections.filter((section) => choices(section).length === 0)).toEqual([]);
  });

  it.each(sections.flatMap((section) => choices(section).map((field) => [section.name, field] as const)))(
    'in %s is made by %s',
    (name, field) => {
      const [optOut, others] = field === 'OptOutSale' ? ['Y', ['N', '-']] : [1, [0, 2]];
      expect(isOptOut({ [name]: sectionWith(name, field, optOut) })).toBe(true);
      expect(isOptOut({ [name]: [sectionWith(name, field, optOut)] })).toBe(true);
      for (const value of others) expect(isOptOut({ [name]: sectionWith(name, field, value) })).toBe(false);
    },
  );

  it.each(sections.filter(({ fields }) => fields.includes('Gpc')).map(({ name }) => name))(
    'in %s is made by Global Privacy Control',
    (name) => {
      expect(isOptOut({ [name]: sectionWith(name, 'Gpc', true) })).toBe(true);
      expect(isOptOut({ [name]: sectionWith(name, 'Gpc', false) })).toBe(false);
    },
  );

  it('is in no section of another country, and in nothing else', () => {
    for (const given of [
      undefined,
      null,
      7,
      'usnat',
      {},
      { usnat: null },
      { usnat: [null, 1] },
      { usnat: { Gpc: 'x' } },
    ])
      expect(isOptOut(given)).toBe(false);
    expect(isOptOut({ tcfeuv2: { SaleOptOut: 1 }, tcfcav1: { Gpc: true } })).toBe(false);
  });
});
