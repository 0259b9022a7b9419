import { type Consent, consentAfter, consentRecord } from '../../src/model/consent';

describe('consentAfter', () => {
  it.each([
    [null, false, 'given'],
    [null, true, 'unasked'],
    [undefined, false, 'refused'],
    [undefined, true, 'refused'],
    [{ opt_in: true, token: 't' }, false, 'given'],
    [{ opt_in: true, token: 't' }, true, 'given'],
    [{ opt_in: true, token: '' }, false, 'refused'],
    [{ opt_in: true, token: '' }, true, 'refused'],
    [{ opt_in: true }, false, 'refused'],
    [{ opt_in: true }, true, 'refused'],
    [{ opt_in: false, token: 't' }, false, 'refused'],
    [{ opt_in: false, token: 't' }, true, 'refused'],
    [{ opt_in: false }, false, 'refused'],
    [{ opt_in: false }, true, 'refused'],
  ] as const)('%p, required %p: %p', (record, required, expected) => {
    expect(consentAfter(record, required, undefined)).toBe(expected);
  });

  it.each([
    ['unasked', 'refused'],
    ['given', 'withdrawn'],
    ['refused', 'refused'],
    ['withdrawn', 'withdrawn'],
  ] satisfies [Consent, Consent][])('%p becomes, by a refusal, %p', (before, expected) => {
    expect(consentAfter({ opt_in: false }, true, before)).toBe(expected);
  });

  it('is unasked again, and not withdrawn, where the answer has gone', () => {
    expect(consentAfter(null, true, 'given')).toBe('unasked');
  });
});

describe('consentRecord', () => {
  it.each([
    [{ opt_in: true }, { opt_in: true, token: 'permutive-consent' }],
    [
      { opt_in: true, token: 't' },
      { opt_in: true, token: 't' },
    ],
    [
      { opt_in: true, token: '' },
      { opt_in: true, token: '' },
    ],
    [{ opt_in: false, token: 't' }, { opt_in: false }],
    [{ opt_in: false }, { opt_in: false }],
  ])('of %p is %p', (call, expected) => {
    expect(consentRecord(call)).toEqual(expected);
  });
});
