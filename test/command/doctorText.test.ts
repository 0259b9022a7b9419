import { findingsText, printable } from '../../command/doctor/findingsText';

it('prints no control characters of a page', () => {
  const text = 'a\u001b]0;title\u0007\u001b[2Jb\u009b31mc\u202ed\r\n';
  const finding = printable({ severity: 'error', where: text, finding: text, fix: text });

  expect(findingsText([finding])).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(finding.finding).toContain('title');
});
