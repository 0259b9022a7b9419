import type { ReactElement } from 'react';
import { from } from 'rxjs';

import { type ConsentFacts, consentFacts } from '../doctor/consent';
import { EntryList, Pairs, useLatest, usePanel } from './parts';

/** What the visitor allows, and each answer about it in the log. */
export const ConsentSection = (): ReactElement => {
  const { entries, page } = usePanel();
  const answers = entries.filter(({ lane }) => lane === 'consent');
  // Asked again with each answer.
  const facts = useLatest(() => from(consentFacts(page.world)), [page.world, answers.at(-1)?.id]);
  if (facts === undefined) return <p className="soft">Asking the page</p>;
  return (
    <Pairs
      of={[
        ['Answer', facts.answer],
        ['Required', facts.isRequired ? 'yes' : 'no'],
        ['TCF', platformWords[facts.tcf]],
        ['GPP', platformWords[facts.gpp]],
        ['US Privacy', platformWords[facts.usp]],
        ['Global Privacy Control', facts.isGpc ? 'on: nothing is shared' : 'off, or not respected'],
        ['In this log', <EntryList entries={answers} none="nothing" className="inline" />],
      ]}
    />
  );
};

const platformWords: Readonly<Record<ConsentFacts['gpp'], string>> = {
  none: 'no platform on the page',
  silent: 'the platform has not answered',
  undecided: 'the visitor has not decided',
  decided: 'the visitor has decided',
  optedOut: 'the visitor has opted out of sharing',
};
