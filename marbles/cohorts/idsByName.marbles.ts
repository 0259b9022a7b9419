import { idsByName } from '../../src/cohorts/idsByName';
import { json } from '../../src/hardening/plainJson';
import { marble } from '../support/marbles';

const setting = (() => 5000) as unknown as Parameters<typeof idsByName>[1]['setting'];
const deps = { setting, json };
const cohorts = {
  '20101': { name: 'Markets readers', reads: [] },
  abc: { name: 'Copper buyers' },
  '20102': { reads: ['geo'] },
  '20103': { name: 'Two of them' },
  '20104': { name: 'Two of them' },
};

describe('idsByName', () => {
  marble('has the names that one cohort has', ({ cold, expectObservable }) => {
    const text$ = cold('--(t|)', { t: JSON.stringify(cohorts) });
    expectObservable(idsByName(text$, deps)).toBe('--(i|)', {
      i: { 'Markets readers': '20101', 'Copper buyers': 'abc' },
    });
  });

  marble('has no names where the text is something else', ({ cold, expectObservable }) => {
    const text$ = cold('(abc|)', { a: '<html>', b: '{"20101":{"name":7}}', c: '{}' });
    expectObservable(idsByName(text$, deps)).toBe('(iii|)', { i: {} });
  });

  marble('waits for requestTimeout, 5,000 ms', ({ cold, expectObservable }) => {
    expectObservable(idsByName(cold('4999ms (t|)', { t: '{}' }), deps)).toBe('4999ms (i|)', { i: {} });
    expectObservable(idsByName(cold('5001ms t', { t: '{}' }), deps)).toBe(
      '5s #',
      {},
      expect.objectContaining({ name: 'TimeoutError' }),
    );
  });
});
