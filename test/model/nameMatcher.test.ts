import * as fc from 'fast-check';

import { nameMatcher } from '../../src/model/nameMatcher';
import { law } from '../support/laws';

describe('nameMatcher', () => {
  it.each([
    'email',
    'EMAIL',
    'userEmail',
    'user_email',
    'billing[email]',
    'email2',
    'e-mail-email',
    'URLEmail',
    'EmaiL',
  ])('finds email in %s', (name) => {
    expect(nameMatcher(['email'])(name)).toBe(true);
  });

  it.each(['emails', 'mail', 'e-mail', '', 'remailed', '-'])('does not find email in %p', (name) => {
    expect(nameMatcher(['email'])(name)).toBe(false);
  });

  it('finds names of several words, however they are written', () => {
    const isFound = nameMatcher(['reset token', 'x5']);
    expect(['resetToken', 'RESET-TOKEN', 'my_reset.token', 'x5', 'X-5'].filter(isFound)).toHaveLength(5);
    expect(['token', 'tokenReset', 'reset', 'x', 'x55', 'x6'].filter(isFound)).toEqual([]);
  });

  it('finds nothing where nothing is asked for', () => {
    expect(['', 'a', '_'].filter(nameMatcher(['', '-', '  ']))).toEqual([]);
  });

  it(
    'finds a name among other words, and reads long ones in one pass',
    law(fc.tuple(fc.string(), fc.string()), ([before, after]) => {
      expect(nameMatcher(['email'])(`${before}_email_${after}`)).toBe(true);
    }),
  );
});
