import * as fc from 'fast-check';

import { nameMatcher } from '../../src/privacy/nameMatcher';
import { isPersonalName } from '../../src/privacy/personalFields';
import { cpuMs } from '../support/cpuTime';
import { law } from '../support/laws';

describe('nameMatcher', () => {
  it.each([
    'email',
    'EMAIL',
    'userEmail',
    'user_email',
    'billing[email]',
    'email2',
    'email-2',
    'e-mail',
    'URLEmail',
    'EmaiL',
    'eMAIL',
  ])('finds email in %s', (name) => {
    expect(nameMatcher(['email'])(name)).toBe(true);
  });

  it.each(['emails', 'mail', '', 'remailed', '-', '2', 'email_campaign', 'emailCampaign'])(
    'does not find email in %p',
    (name) => {
      expect(nameMatcher(['email'])(name)).toBe(false);
    },
  );

  it('finds names of several words, however they and the wanted ones are written', () => {
    for (const wanted of ['reset token', 'reset_token', 'resetToken', 'resettoken']) {
      const isFound = nameMatcher([wanted]);
      expect(['resetToken', 'RESET-TOKEN', 'my_reset.token', 'resettoken'].filter(isFound)).toHaveLength(4);
      expect(['token', 'tokenReset', 'reset', 'resetTokens'].filter(isFound)).toEqual([]);
    }
  });

  it('finds a name that begins with = as a whole alone', () => {
    const isFound = nameMatcher(['=code', '=id token']);
    expect(
      ['code', 'CODE', 'id_token', 'idToken', 'countryCode', 'my_id_token', 'code_x', '=code'].filter(isFound),
    ).toEqual(['code', 'CODE', 'id_token', 'idToken', '=code']);
  });

  it('finds nothing where nothing is asked for', () => {
    expect(['', 'a', '_', '='].filter(nameMatcher(['', '-', '  ']))).toEqual([]);
  });

  it(
    'finds a name after other words',
    law(fc.string(), (before) => {
      expect(nameMatcher(['email'])(`${before}_email`)).toBe(true);
    }),
  );

  it('reads a name of many words in a time in proportion to its length', () => {
    const [short = 0, long = 0] = [125, 1000].map((words) => cpuMs(() => isPersonalName('aB'.repeat(words))));
    expect(long).toBeLessThan(32 * Math.max(short, 1));
  });
});
