import { map, NEVER } from 'rxjs';

import { experimentOf, noExperiment } from '../../src/contracts/experiment';
import { memoryJournal } from '../../src/fakePlatform/memoryJournal';
import { json } from '../../src/hardening/plainJson';
import { unreadText } from '../../src/model/explanation';
import { explained, type Explainers } from '../../src/visit/explained';
import { queuedOf, visitorId } from '../../test/support/events';
import { marble } from '../support/marbles';

/** Calls `explain` on a page that has told two events. Emits the words. */
const words = (
  explain: Explainers['engine']['explain'],
  reasons: readonly string[],
  patienceMs?: number,
  experiment = noExperiment,
) => {
  const places = [
    [1, 0],
    [2, 0],
  ];
  const events = [queuedOf('a'), queuedOf('b')];
  const record = JSON.stringify({ enrich: true, sdkProcessed: true, events, places });
  return explained(
    { id: '7', ...(patienceMs !== undefined && { patienceMs }) },
    {
      engine: { explain },
      held: { reasons: () => reasons },
      visitor: { userId: () => visitorId },
      delivery: { page: 'page' },
    },
    { journal: memoryJournal(new Map([['page/1', record]])), hold: () => NEVER, json, experiment },
  ).pipe(map(([text, answer]) => [text, answer?.waiting]));
};

const both = { isKnown: true, value: 2 };

marble('says what the engine has not counted, after all that is said of the cohort', ({ cold, expectObservable }) => {
  const explain: Explainers['engine']['explain'] = (_, left) =>
    cold('--a', { a: { type: 'explained', request: 1, text: 'Because.', waiting: left.length - 1 } });
  expectObservable(words(explain, ['Service: so.'])).toBe('--(a|)', {
    a: ['Because.\nService: so.\n1 event waits to be counted.', { isKnown: true, value: 1 }],
  });
});

marble('counts all events for an engine that has not read the history', ({ cold, expectObservable }) => {
  const explain = () => cold('--a', { a: { type: 'unread' as const, text: unreadText } });
  expectObservable(words(explain, [])).toBe('--(a|)', { a: [`${unreadText}\n2 events wait to be counted.`, both] });
});

marble('knows no cohort of which nobody knows, whatever waits', ({ cold, expectObservable }) => {
  const explain = () => cold('--(a|)', { a: { type: 'explained' as const, request: 1, text: null, waiting: 2 } });
  expectObservable(words(explain, [])).toBe('--(a|)', { a: [null, both] });
});

marble('answers without the engine once patience ends, where there is any', ({ expectObservable }) => {
  expectObservable(words(() => NEVER, [], 3000)).toBe('3000ms (a|)', { a: [null, both] });
  expectObservable(words(() => NEVER, [])).toBe('-');
});

marble('says in which group of an experiment with the cohort the visitor is', ({ cold, expectObservable }) => {
  const explain: Explainers['engine']['explain'] = () =>
    cold('a', { a: { type: 'explained', request: 1, text: 'Because.', waiting: 0 } });
  const said = (percent: number, cohorts?: readonly string[]) =>
    words(explain, [], undefined, experimentOf({ percent, salt: '', ...(cohorts && { cohorts }) })).pipe(
      map(([text]) => text),
    );
  expectObservable(said(100)).toBe('(a|)', {
    a: 'Because.\nThe visitor is in the control group: neither the page nor partners are told of the cohort.',
  });
  expectObservable(said(0, ['7'])).toBe('(a|)', {
    a: 'Because.\nThe visitor is in the exposed group of the experiment.',
  });
  expectObservable(said(100, ['8'])).toBe('(a|)', { a: 'Because.' });
});
