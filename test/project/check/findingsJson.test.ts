import { findingsJson } from '../../../project/check/findingsJson';

it('writes findings for programs', () => {
  const finding = { path: 'queries/7', severity: 'error', message: 'a "b"', fix: '' } as const;
  expect(JSON.parse(findingsJson([finding, { ...finding, line: 2, column: 3 }]))).toEqual([
    { path: 'queries/7', severity: 'error', message: 'a "b"', fix: '' },
    { path: 'queries/7', severity: 'error', message: 'a "b"', fix: '', line: 2, column: 3 },
  ]);
  expect(findingsJson([])).toBe('[]');
});
