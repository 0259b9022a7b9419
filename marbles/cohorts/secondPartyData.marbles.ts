import { secondPartyData } from '../../src/cohorts/secondPartyData';
import { eventOf } from '../../test/support/events';
import { linesOf } from '../../test/support/reports';
import { settingsOf } from '../../test/support/settings';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const data = (secondParty: object) => ({ type: 'data', patch: { secondParty } });
const changed = { type: 'draft', draft: { name: 'UpdateSecondPartyData', edgeOnly: true } };
const nothing = data({});

/** A page whose settings are `config`, and which hands data over as in the diagram. */
const worldOf = (
  helpers: MarbleHelpers,
  config: object,
  diagram = '-',
  values: Readonly<Record<string, unknown>> = {},
) => {
  const { streams, deps } = serviceWorld(helpers, { answers: {} });
  const handed$ = helpers.hot(diagram, values);
  const given = {
    ...deps,
    setting: settingsOf(config as Readonly<Record<string, unknown>>),
    calls: { addon: (name: string) => (name === 'second_party' ? handed$ : helpers.cold('-')) },
  };
  return { streams, deps: given };
};

describe('secondPartyData', () => {
  marble('gives what the settings say, and tells queries of a change', (helpers) => {
    const { streams, deps } = worldOf(helpers, { secondParty: { ledger: ['a', 7, 'a'] } });
    helpers
      .expectObservable(secondPartyData(streams, deps))
      .toBe('(dc)', { d: data({ ledger: ['a', '7'] }), c: changed });
  });

  marble('is empty at once where the page gives nothing', (helpers) => {
    const { streams, deps } = worldOf(helpers, {});
    helpers.expectObservable(secondPartyData(streams, deps)).toBe('n', { n: nothing });
  });

  marble('prefers the providers that the page hands over, and follows the settings at a page view', (helpers) => {
    const config: Record<string, unknown> = { secondParty: { ledger: ['a'] } };
    const { streams, deps } = worldOf(helpers, config, '10ms h', { h: { ledger: ['b'], other: [1] } });
    const pageview$ = helpers.hot('20ms p 9ms p', { p: eventOf('p') });
    helpers.schedule('15ms s', { s: () => (config['secondParty'] = { third: ['c'] }) });
    helpers.expectObservable(secondPartyData({ ...streams, pageview$ }, deps)).toBe('(ac) 6ms (bc) 6ms (dc)', {
      a: data({ ledger: ['a'] }),
      b: data({ ledger: ['b'], other: ['1'] }),
      d: data({ third: ['c'], ledger: ['b'], other: ['1'] }),
      c: changed,
    });
  });

  marble('tells queries nothing where the last page gave the same', (helpers) => {
    const { streams, deps } = worldOf(helpers, { secondParty: { ledger: ['a', 'b'] } });
    helpers
      .expectObservable(secondPartyData(streams, deps))
      .toBe('(dc)', { d: data({ ledger: ['a', 'b'] }), c: changed });
    helpers.flush();
    const next = { ...deps, setting: settingsOf({ secondParty: { ledger: ['b', 'a'] } }) };
    helpers.expectObservable(secondPartyData(streams, next)).toBe('d', { d: data({ ledger: ['b', 'a'] }) });
  });

  marble('gives it to the engine of another user too', (helpers) => {
    const { streams, deps } = worldOf(helpers, {});
    const adopted$ = helpers.hot('--a');
    helpers.expectObservable(secondPartyData({ ...streams, adopted$ }, deps)).toBe('n-n', { n: nothing });
  });

  it.each([
    ['a text', 'ledger', '(root): expected UnknownRecord'],
    ['a list', [], '(root): expected UnknownRecord'],
    ['a provider without a list', { ledger: 'a' }, '(root): expected a list of ids'],
    ['ids of another type', { ledger: [{}] }, '0: expected an id'],
    [
      'a getter that throws',
      {
        get ledger() {
          throw new Error('page');
        },
      },
      undefined,
    ],
  ] as const)(
    'reports and leaves out %s, once',
    marbles((helpers, _, handed, line) => {
      const { streams, deps } = worldOf(helpers, {}, '-hh', { h: handed });
      helpers.expectObservable(secondPartyData(streams, deps)).toBe(line === undefined ? 'n' : 'nn', { n: nothing });
      helpers.flush();
      expect(linesOf(deps.report)).toEqual(line === undefined ? [] : [`Invalid second-party data: ${line}`]);
    }),
  );
});
