import { useObservable, useSubscription } from 'observable-hooks';
import { type ReactElement, useEffect, useId, useMemo, useState } from 'react';
import { map } from 'rxjs';

import { prettyJson } from './form/prettyJson';
import { useStudio, useStudioState } from './parts/studioContext';
import { addressedInTime } from './state/addresses';
import { fragmentOf } from './state/route';
import type { SharedQuery } from './state/sharedQuery';
import { firstCondition } from './state/studio';
import { Faults } from './visitors/Faults';
import { Membership } from './visitors/Membership';
import { QueryFacts } from './visitors/QueryFacts';
import { usePlay } from './visitors/usePlay';
import { VisitorChoice } from './visitors/VisitorChoice';
import { firstReader } from './visitors/VisitorSources';

interface TryViewProps {
  /** What the page’s address brings. */
  readonly shared: SharedQuery | undefined;
  /** Told of each change, so that the way back leads here again. */
  readonly onTried: (tried: SharedQuery) => void;
}

/** A query on a visitor, which the file of the project knows nothing of. */
export const TryView = ({ shared, onTried }: TryViewProps): ReactElement => {
  const { studio, go, rewrite } = useStudio();
  const [text, setText] = useState(shared?.text ?? prettyJson(firstCondition));
  const play = usePlay(text, { ...firstReader, ...readerOf(shared) }, shared?.at);
  const { reading, source, played, at, explanation } = play;
  // A visitor of the visits or of a log is a person, and stays out of the address.
  const { seed, taste } = source.type === 'generated' ? source : firstReader;
  const tried = useMemo(() => ({ text, seed, taste, at }), [text, seed, taste, at]);
  const tried$ = useObservable((inputs$) => inputs$.pipe(map(([input]) => input)), [tried]);
  const addressed$ = useObservable(() => addressedInTime(tried$));
  useSubscription(addressed$, (shared) => rewrite({ view: 'try', shared }));
  useEffect(() => onTried(tried), [tried, onTried]);
  const [write, faults] = [useId(), useId()];
  const isQuery = reading.type === 'query';
  return (
    <>
      <h2>Try a query</h2>
      <p>Write a query or pick one, give it a visitor, and move through time. Nothing is written into the file.</p>
      <section aria-labelledby="query">
        <h3 id="query">Query</h3>
        <Picked onText={setText} />
        <label htmlFor={write}>JSON: a definition, or a condition alone</label>
        <textarea
          id={write}
          value={text}
          rows={7}
          spellCheck={false}
          aria-invalid={!isQuery}
          aria-describedby={faults}
          onChange={({ target }) => setText(target.value)}
        />
        <Faults id={faults} title="This is no query" faults={isQuery ? [] : reading.faults} />
        <div className="bar">
          <button
            type="button"
            className="main"
            aria-disabled={!isQuery}
            onClick={() => {
              if (!isQuery) return;
              studio.editNew(text);
              go({ view: 'make', cohort: undefined });
            }}
          >
            Make it a cohort
          </button>
          <CopyLink shared={tried} />
        </div>
        {isQuery && <QueryFacts query={reading.query} cost={played} checksum={explanation?.checksum} />}
      </section>
      <VisitorChoice play={play} />
      <Membership play={play} />
    </>
  );
};

const readerOf = (shared: SharedQuery | undefined): Partial<SharedQuery> =>
  shared === undefined ? {} : { seed: shared.seed, taste: shared.taste };

/** The cohorts of the file, to begin with. */
const Picked = ({ onText }: { readonly onText: (text: string) => void }): ReactElement => {
  const { project } = useStudioState();
  const pick = useId();
  return (
    <>
      <label htmlFor={pick}>Begin with a cohort of the file</label>
      <select
        id={pick}
        value=""
        onChange={({ target }) => {
          const cohort = project.cohorts.find(({ definition }) => definition.id === target.value)?.definition;
          if (cohort !== undefined) onText(prettyJson(cohort));
        }}
      >
        <option value="">Pick a cohort</option>
        {project.cohorts.map(({ definition: { id, name } }) => (
          <option key={id} value={id}>
            {id} {name}
          </option>
        ))}
      </select>
    </>
  );
};

/** A button that copies the address without the token, which is for this machine alone. */
const CopyLink = ({ shared }: { readonly shared: SharedQuery }): ReactElement => {
  const { studio } = useStudio();
  const copy = (): void =>
    void navigator.clipboard
      .writeText(`${location.origin}${location.pathname}${fragmentOf({ view: 'try', shared }, '')}`)
      .then(
        () =>
          studio.say('The link is copied. It has the query, the generated visitor and the moment, and nothing else.'),
        () => studio.say('The browser does not let the page copy.'),
      );
  return (
    <button type="button" onClick={copy}>
      Copy a link
    </button>
  );
};
