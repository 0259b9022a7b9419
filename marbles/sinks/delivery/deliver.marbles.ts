import { asyncScheduler, delay, map, merge, NEVER, of } from 'rxjs';

import { json } from '../../../src/model/plainJson';
import { type Accepted, deliver } from '../../../src/sinks/delivery/deliver';
import { noon, queuedOf } from '../../../test/support/events';
import { fakePlatform, takenAnswer } from '../../../test/support/fakePlatform';
import { memoryJournal } from '../../../test/support/memoryJournal';
import { settingsOf } from '../../../test/support/settings';
import { marble } from '../../support/marbles';

const accepted: Readonly<Record<string, Accepted>> = { a: { event: queuedOf('a') } };

/** The delivery of a page whose server answers after 10 ms, and how many records its journal has at each look. */
const world = () => {
  const records = new Map<string, unknown>();
  const deps = {
    ...fakePlatform({ send: (request) => of(takenAnswer(request)).pipe(delay(10)) }),
    journal: memoryJournal(records),
    setting: settingsOf(),
    json,
    report: () => undefined,
    now: () => noon + asyncScheduler.now(),
    online$: NEVER,
    return$: NEVER,
  };
  return { deps, recordCount: () => String(records.size) };
};

describe('deliver', () => {
  marble(
    'keeps an event in the journal from its task until its answer was gathered, once, however many listen',
    (helpers) => {
      const { hot, expectObservable } = helpers;
      const accepted$ = hot('-a', accepted);
      // Gathered for 50 ms, 10 ms on its way, and its answer is gathered for 50 ms.
      const look$ = hot('    l-l 28ms l 30ms l 80ms l');
      const expected = '     0-1 28ms 1 30ms 1 80ms 0';
      const { deps, recordCount } = world();
      const { delivery$ } = deliver(accepted$, NEVER, deps);
      expectObservable(merge(delivery$, delivery$)).toBe('- 60ms (aa)', { a: { id: 'a' } });
      expectObservable(look$.pipe(map(recordCount))).toBe(expected);
    },
  );
});
