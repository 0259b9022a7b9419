import { useObservable, useObservableState } from 'observable-hooks';
import type { ReactElement } from 'react';
import { from, switchMap } from 'rxjs';

import { consentFacts } from '../doctor/consentFacts';
import type { ConsentFacts } from '../doctor/facts';
import type { PanelProps } from './panelProps';
import { EntryList, Pair } from './parts';

/** What the visitor allows, and each answer about it in the log. */
export const ConsentSection = ({
  entries,
  page: { world },
  onShow,
}: Pick<PanelProps, 'entries' | 'page' | 'onShow'>): ReactElement => {
  const answers = entries.filter(({ lane }) => lane === 'consent');
  // Asked again with each answer.
  const facts$ = useObservable(
    (asked$) => asked$.pipe(switchMap(([world]) => from(consentFacts(world)))),
    [world, answers.at(-1)?.id],
  );
  const facts = useObservableState(facts$);
  if (facts === undefined) return <p className="soft">Asking the page</p>;
  return (
    <dl>
      <Pair name="Answer">{facts.answer}</Pair>
      <Pair name="Required">{facts.isRequired ? 'yes' : 'no'}</Pair>
      <Pair name="TCF">{platformWords[facts.tcf]}</Pair>
      <Pair name="GPP">{platformWords[facts.gpp]}</Pair>
      <Pair name="US Privacy">{platformWords[facts.usp]}</Pair>
      <Pair name="Global Privacy Control">{facts.isGpc ? 'on: nothing is shared' : 'off, or not respected'}</Pair>
      <Pair name="In this log">
        <EntryList entries={answers} onShow={onShow} none="nothing" className="inline" />
      </Pair>
    </dl>
  );
};

const platformWords: Readonly<Record<ConsentFacts['gpp'], string>> = {
  none: 'no platform on the page',
  silent: 'the platform has not answered',
  undecided: 'the visitor has not decided',
  decided: 'the visitor has decided',
  optedOut: 'the visitor has opted out of sharing',
};
