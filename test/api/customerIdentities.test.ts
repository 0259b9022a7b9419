import { Subject } from 'rxjs';

import { readIdentifyCalls } from '../../src/api/customerIdentities';
import type { UnreadIdentifyCall } from '../../src/model/identity';
import { visitorId } from '../support/events';
import { linesOf, reportMock } from '../support/reports';

/** Reads calls with these arguments, one after another, for a server that answers each call at once. */
const read = (inputs: readonly unknown[], identityTags?: readonly string[]) => {
  const report = reportMock();
  const [given, answers]: [unknown[], unknown[]] = [[], []];
  const call$ = new Subject<UnreadIdentifyCall>();
  readIdentifyCalls(call$, identityTags === undefined ? {} : { identityTags }, report).subscribe((call) => {
    given.push(call.given);
    call.done(visitorId);
  });
  for (const input of inputs) call$.next({ given: input, done: (id) => answers.push(id) });
  return { given, answers, report, reported: linesOf(report) };
};

describe('Calls of identify', () => {
  it('are read in their order', () => {
    const { given, answers, reported } = read(['reader', {}, [{ tag: 'a', id: '1', priority: 3 }]]);
    expect(given).toEqual([[{ tag: 'default', id: 'reader', priority: 0 }], [{ tag: 'a', id: '1', priority: 3 }]]);
    expect(answers).toEqual([visitorId, null, visitorId]);
    expect(reported).toHaveLength(1);
  });

  it.each([
    [{ tag: 'a', id: '1' }, 'Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.'],
    [undefined, 'Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.'],
    [
      [{ tag: 'email_sha256', id: 'A' }],
      'Identify called with unsupported format of email_sha256 ID. The support format is hex-encoded 64 character long lowercase string.',
    ],
    [[{ tag: 'a', id: '1', priority: '1' }], '0/priority: expected number'],
  ])('with %j are reported with the reason, and answered with null', (input, message) => {
    const { given, answers, report } = read([input]);
    expect([given, answers]).toEqual([[], [null]]);
    // Without a cause, whose words a report to the provider would cut off the message.
    expect(report.mock.calls).toEqual([[message]]);
  });

  it('with a broken entry are reported, and the other entries count', () => {
    const { given, answers, report } = read([[{ tag: 'a' }, { tag: 'b', id: '2' }]]);
    expect(given).toEqual([[{ tag: 'b', id: '2', priority: 1 }]]);
    expect(answers).toEqual([visitorId]);
    expect(report.mock.calls).toEqual([
      ['Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.'],
    ]);
  });

  it('have only the tags of the project, and others are reported', () => {
    const { given, answers, reported } = read(
      [
        [
          { tag: 'other', id: '1' },
          { tag: 'crm', id: '2' },
        ],
        'reader',
      ],
      ['default', 'crm'],
    );
    expect(given).toEqual([[{ tag: 'crm', id: '2', priority: 1 }], [{ tag: 'default', id: 'reader', priority: 0 }]]);
    expect(answers).toEqual([visitorId, visitorId]);
    expect(reported).toEqual(['Failed to identify: tag: expected one of identityTags of the project definition']);
  });
});
