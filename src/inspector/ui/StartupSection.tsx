import type { ReactElement } from 'react';
import { from, of, startWith } from 'rxjs';

import { startupWords } from '../startupWords';
import { methodsOf } from './pageReads';
import { Pairs, useLatest, usePanel } from './parts';

/** What start-up has found, as `permutive.startup()` says it. */
export const StartupSection = (): ReactElement => {
  const { entries, page } = usePanel();
  const { startup: ask } = methodsOf(page.tag);
  // Asked again where it may have changed: with consent, and when a start-up has ended.
  const latest = entries.filter(({ lane, type }) => lane === 'consent' || type === 'started').at(-1)?.id;
  const found = useLatest(() => (ask === undefined ? of(null) : from(ask()).pipe(startWith(undefined))), [ask, latest]);
  if (found === undefined) return <p className="soft">Start-up has not ended yet.</p>;
  return found === null ? <p className="soft">The SDK is not running.</p> : <Pairs of={startupWords(found)} />;
};
