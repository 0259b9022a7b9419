import { consentRecord, isConsent } from '../../src/model/consent';

describe('isConsent', () => {
  it.each([
    [null, false, true],
    [null, true, false],
    [undefined, false, false],
    [undefined, true, false],
    [{ opt_in: true, token: 't' }, false, true],
    [{ opt_in: true, token: 't' }, true, true],
    [{ opt_in: true, token: '' }, false, false],
    [{ opt_in: true, token: '' }, true, false],
    [{ opt_in: true }, false, false],
    [{ opt_in: true }, true, false],
    [{ opt_in: false, token: 't' }, false, false],
    [{ opt_in: false, token: 't' }, true, false],
    [{ opt_in: false }, false, false],
    [{ opt_in: false }, true, false],
  ])('%p, required %p: %p', (record, required, expected) => {
    expect(isConsent(record, required)).toBe(expected);
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
