import { findingsText, printable } from '../../command/doctor/findingsText';
import { findingsIn, within } from '../../command/doctor/saidByPage';
import { called, folderWith } from './support/called';

it('prints no control characters of a page', () => {
  const text = 'a\u001b]0;title\u0007\u001b[2Jb\u009b31mc\u202ed\r\n';
  const finding = printable({ severity: 'error', where: text, finding: text, fix: text });

  expect(findingsText([finding])).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(finding.finding).toContain('title');
});

it('prints none at all, whichever command writes them', async () => {
  const { err } = await called(folderWith(), 'a\u001b]0;title\u0007\u202e');
  expect(err).toMatch(/^There is no a ]0;title {2}\. /);
});

describe('what a page says of its doctor', () => {
  const finding = { severity: 'error', where: 'a', finding: 'b', fix: 'c' } as const;
  const said = (...findings: readonly unknown[]): readonly string[] =>
    findingsIn(JSON.stringify(findings)).map((found) => found.finding);

  it('is read as findings', () => {
    expect(findingsIn(JSON.stringify([{ ...finding, more: 1 }]))).toEqual([finding]);
    expect(said({ ...finding, finding: 'x'.repeat(3_000) })).toEqual(['x'.repeat(2_000)]);
  });

  it.each<[what: string, text: unknown]>([
    ['a severity of its own', JSON.stringify([{ ...finding, severity: '\u001b[2J' }])],
    ['no list', '{}'],
    ['no JSON', '['],
    ['nothing', ''],
    ['no text', 7],
    ['too many findings', JSON.stringify(Array(1_001).fill(finding))],
    ['too long a text', JSON.stringify([{ ...finding, fix: 'x'.repeat(1_000_000) }])],
  ])('is refused where it is %s', (_, text) => {
    expect(findingsIn(text)).toEqual([
      expect.objectContaining({ severity: 'error', finding: 'The answer of the doctor on the page cannot be read' }),
    ]);
  });

  it('is waited for, but not for ever', async () => {
    jest.useFakeTimers();
    const answer = within(20_000, new Promise<string>(() => undefined));
    jest.advanceTimersByTime(20_000);
    expect(findingsIn(await answer)).toMatchObject([{ finding: 'The page has not answered the doctor within 20 s' }]);
    expect(await within(20_000, Promise.resolve('a'))).toBe('a');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
