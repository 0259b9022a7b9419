import { explanationTree } from '../../src/inspector/explanation';

describe('explanationTree', () => {
  it('reads the words of an explanation as a tree', () => {
    const words = [
      'Cohort 20601: the visitor is not a member.',
      '✗ at least 2 of these (1 now):',
      '  ✓ member of cohort 20101',
      '  ✗ all of:',
      '    ✓ always',
      '    ✗ Pageview events: has 0, needs at least 1',
      'To enter: one more of these.',
    ].join('\n');
    expect(explanationTree(words)).toEqual({
      verdict: ['Cohort 20601: the visitor is not a member.'],
      clauses: [
        {
          holds: false,
          words: 'at least 2 of these (1 now):',
          of: [
            { holds: true, words: 'member of cohort 20101', of: [] },
            {
              holds: false,
              words: 'all of:',
              of: [
                { holds: true, words: 'always', of: [] },
                { holds: false, words: 'Pageview events: has 0, needs at least 1', of: [] },
              ],
            },
          ],
        },
      ],
      notes: ['To enter: one more of these.'],
    });
  });

  it('shows words without clauses as they are', () => {
    expect(explanationTree('Third party: Acme.')).toEqual({
      verdict: ['Third party: Acme.'],
      clauses: [],
      notes: [],
    });
  });
});
