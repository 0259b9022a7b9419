import { findingsText } from '../../command/doctor/findingsText';
import { allFindings, explained, type OutsideFacts } from '../../command/doctor/outsideFindings';
import type { Finding } from '../../src/model/finding';

const version: Finding = { severity: 'info', where: 'sdk', finding: 'The SDK is version v1.2.3', fix: '' };
const well: OutsideFacts = { pageFailure: undefined, hasTag: true, bundle: '200', inside: [version], said: [] };
const noTag = "Permutive was not initialized. Can't find permutive tag on the page";

describe('allFindings', () => {
  it('adds nothing to what the doctor finds on a page that is well', () => {
    expect(allFindings(well)).toEqual([version]);
  });

  it.each<[finding: string, facts: Partial<OutsideFacts>]>([
    ['The page has not loaded: no such host', { pageFailure: 'no such host' }],
    ['The page does not load the script of the bundle', { bundle: undefined }],
    ['The script of the bundle did not load: 404', { bundle: '404' }],
    ['The script of the bundle did not load: net::ERR_BLOCKED_BY_CLIENT', { bundle: 'net::ERR_BLOCKED_BY_CLIENT' }],
    ['The script of the bundle ran before the tag, found none and did nothing', { said: [noTag] }],
    [noTag, { said: [noTag], hasTag: false }],
    [
      'Permutive was not initialized. Maps not supported',
      { said: ['Permutive was not initialized. Maps not supported'] },
    ],
    ['The SDK has started no doctor', {}],
  ])('says “%s”, and nothing else, where the doctor cannot be asked', (finding, facts) => {
    const findings = allFindings({ ...well, inside: undefined, ...facts });
    expect(findings).toEqual([expect.objectContaining({ severity: 'error', finding })]);
    expect(findings.filter(({ fix }) => fix === '')).toEqual([]);
  });

  it('tells what the SDK has said, once, with what to do', () => {
    const said = '[permutive] Failed to fetch AMP query NetworkError: failed';
    expect(allFindings({ ...well, said: [said, said] })).toEqual([
      { severity: 'warning', where: 'console', finding: said, fix: 'See that the file is on the CDN.' },
      version,
    ]);
  });
});

describe('explained', () => {
  it('finds a message with what is filled in', () => {
    expect(explained('[permutive] Service affinity stopped').when).toContain('A cohort service has failed');
    expect(explained('[permutive] Query Language: Exception during evaluation').when).toContain('failed at an event');
  });

  it('has nothing to say of other messages', () => {
    expect(explained('Something else')).toEqual({ when: '', fix: '' });
  });
});

it('findingsText puts each fix below its finding, and counts', () => {
  expect(
    findingsText([{ severity: 'error', where: 'consent', finding: 'It is missing', fix: 'Give it.' }, version]),
  ).toBe(
    [
      'error    consent  It is missing',
      '                  → Give it.',
      'info     sdk      The SDK is version v1.2.3',
      '',
      '1 error, 0 warnings',
    ].join('\n'),
  );
});
