import { startWith } from 'rxjs';

import { segmentSyncing } from '../../src/cohorts/segmentSyncing';
import { sendQuietMs } from '../../src/cohorts/sendChanges';
import type { ServiceStreams } from '../../src/cohorts/service';
import type { Cohorts } from '../../src/model/cohorts';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: cohorts of the last page; n: none; a: one that is synced; b: two; o: another, which is not. */
const cohorts = {
  l: cohortsOf(false, '7'),
  n: cohortsOf(true),
  a: cohortsOf(true, '7', '1'),
  b: cohortsOf(true, '7', '10000001'),
  o: cohortsOf(true, '7', '2'),
};
const project = { cohortCodes: { 10000001: 'bfin' }, platformCohorts: { segment_sync: [7, 10000001] } };

const syncing = (
  helpers: MarbleHelpers,
  cohort: string,
  { answers = { sync: {} }, ...streams }: Partial<ServiceStreams> & { readonly answers?: Record<string, unknown> } = {},
) => {
  const world = serviceWorld(helpers, { project, answers });
  const run = () =>
    segmentSyncing({ ...world.streams, cohorts$: helpers.cold(cohort, cohorts), ...streams }, world.deps);
  const sent = (): readonly unknown[] => {
    helpers.flush();
    return world.asked.map(({ body }) => body);
  };
  return { ...world, run, sent };
};
const seven = 'segments=7';
const both = 'segments=7%2Cbfin';

describe('segmentSyncing', () => {
  marble('sends the codes with credentials, once they have not changed for 5 s', (helpers) => {
    const { run, sent, asked } = syncing(helpers, `l-b ${sendQuietMs - 2}ms a`);
    helpers.expectObservable(run()).toBe('');
    // The change came a moment before the codes would have been sent.
    expect(sent()).toEqual([seven]);
    expect(asked[0]).toMatchObject({ method: 'POST', credentials: true });
    expect(new URL(asked[0]!.url)).toMatchObject({ host: 'sync.permutive.com' });
  });

  marble('sends nothing where the codes are the same, or are so again', (helpers) => {
    const { run, sent } = syncing(helpers, `a ${sendQuietMs}ms o 10s b-a`);
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([seven]);
  });

  marble('sends nothing of a visitor who has no code and never had one', (helpers) => {
    const { run, sent } = syncing(helpers, 'n');
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([]);
  });

  marble('says when the last code is gone', (helpers) => {
    const { run, sent } = syncing(helpers, `a ${sendQuietMs}ms n`);
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([seven, 'segments=']);
  });

  marble('sends nothing that an earlier page has sent', (helpers) => {
    const { run, sent, deps, streams } = syncing(helpers, 'a');
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([seven]);
    helpers.expectObservable(segmentSyncing({ ...streams, cohorts$: helpers.cold('a', cohorts) }, deps)).toBe('');
    expect(sent()).toEqual([seven]);
  });

  marble('sends the same codes again for another user, once that user’s cohorts are known', (helpers) => {
    const { run, sent } = syncing(helpers, '', {
      cohorts$: helpers.hot('20s s', { s: cohortsOf(true, '7', '10000001') }).pipe(startWith(cohorts.b)),
      adopted$: helpers.hot('10s u', { u: 'another user' }),
    });
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([both, both]);
  });

  marble('reports a failed request, and sends with the next change', (helpers) => {
    const { run, sent, deps } = syncing(helpers, 'a 10s b', { answers: {} });
    helpers.expectObservable(run()).toBe('');
    expect(sent()).toEqual([seven, both]);
    expect(deps.report.mock.calls.map(([message]) => message)).toEqual([
      'Failed to sync segments',
      'Failed to sync segments',
    ]);
  });

  it.each([
    ['sends nothing of a visitor who objects to sharing while the codes wait', 'y 4s n', []],
    ['sends the codes of a visitor who objects no longer', 'n 10s y', [seven]],
  ])(
    '%s',
    marbles((helpers, _, sharing: string, expected: readonly string[]) => {
      const { run, sent } = syncing(helpers, 'a', { sharing$: helpers.cold(sharing, { y: true, n: false }) });
      helpers.expectObservable(run()).toBe('');
      expect(sent()).toEqual(expected);
    }),
  );
});
