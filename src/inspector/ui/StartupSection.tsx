import { useObservable, useObservableState } from 'observable-hooks';
import type { ReactElement } from 'react';
import { from, of, startWith, switchMap } from 'rxjs';

import { startupWords } from '../startupWords';
import { methodsOf } from './pageReads';
import type { PanelProps } from './panelProps';
import { Pair } from './parts';

/** What start-up has found, as `permutive.startup()` says it. */
export const StartupSection = ({ entries, page: { tag } }: Pick<PanelProps, 'entries' | 'page'>): ReactElement => {
  const { startup: ask } = methodsOf(tag);
  // Asked again where it may have changed: with consent, and when a start-up has ended.
  const latest = entries.filter(({ lane, type }) => lane === 'consent' || type === 'started').at(-1)?.id;
  const found$ = useObservable(
    (asked$) =>
      asked$.pipe(switchMap(([ask]) => (ask === undefined ? of(null) : from(ask()).pipe(startWith(undefined))))),
    [ask, latest],
  );
  const found = useObservableState(found$);
  if (found === undefined) return <p className="soft">Start-up has not ended yet.</p>;
  if (found === null) return <p className="soft">The SDK is not running.</p>;
  return (
    <dl>
      {startupWords(found).map(([name, words]) => (
        <Pair key={name} name={name}>
          {words}
        </Pair>
      ))}
    </dl>
  );
};
