import { type ReactElement, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';

import type { EngineEvent } from '../../src/engine/engine';
import { Explain } from './Explain';
import { explainAt, type Init, memberAt, type Played, playQuery } from './playQuery';
import { QueryPanel } from './QueryPanel';
import { type QueryReading, readQuery } from './readQuery';
import { readLog } from './recordedLog';
import { samples } from './samples';
import { fragmentOf, type SharedState } from './sharedState';
import { Timeline } from './Timeline';
import { visitorOf } from './visitor';
import { VisitorPanel, type VisitorSource } from './VisitorPanel';
import { withRead } from './withRead';

/** What the playground begins with, and where it keeps its address. */
export interface PlaygroundProps {
  readonly init: Init;
  readonly shared: SharedState | undefined;
  /** Puts the fragment into the page's address. Returns the whole address. */
  readonly setFragment: (fragment: string) => string;
}

const first = samples.find(({ id }) => id === '20402') ?? samples[0];

/** Try a query on a visitor: what it is, what it costs, when the visitor is a member, and why. */
export const Playground = ({ init, shared, setFragment }: PlaygroundProps): ReactElement => {
  const [text, setText] = useState(shared?.text ?? JSON.stringify(first?.definition, null, 2));
  const [source, setSource] = useState<VisitorSource>({
    type: 'generated',
    seed: shared?.seed ?? 1,
    taste: shared?.taste ?? 'anything',
  });
  const [wanted, setWanted] = useState(shared?.at);
  const reading = useMemo(() => readQuery(text), [text]);
  const visitor = useMemo(() => eventsOf(source), [source]);
  const current = useDeferredValue(useMemo(() => ({ reading, events: visitor.events }), [reading, visitor]));
  const play = useMemo(() => playOf(init, current.reading, current.events), [init, current]);
  const at = play === undefined ? 0 : Math.min(Math.max(wanted ?? play.played.to, play.played.from), play.played.to);
  const address = useAddress({ text, source, at }, setFragment);
  const explanation = useMemo(
    () => (play === undefined ? null : explainAt(init, play.id, play.queries, current.events, at)),
    [init, play, current, at],
  );
  return (
    <>
      <header>
        <h1>Query playground</h1>
        <p>
          Write a query or pick one, give it a visitor, and move through time. Everything runs in this page, in the
          engine of the SDK.
        </p>
        <Share address={address} />
      </header>
      <main>
        <QueryPanel
          text={text}
          onText={setText}
          reading={reading}
          cost={play?.played}
          checksum={explanation?.checksum}
        />
        <VisitorPanel source={source} onSource={setSource} count={visitor.events.length} faults={visitor.faults} />
        <section aria-labelledby="time" className="wide">
          <h2 id="time">Membership</h2>
          {play === undefined ? (
            <p>The query cannot be read yet, so nothing is played.</p>
          ) : (
            <>
              {play.played.errors.length > 0 && (
                <ul className="faults" aria-label="What the engine reports">
                  {play.played.errors.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              )}
              <Timeline
                played={play.played}
                events={current.events}
                at={at}
                onAt={setWanted}
                isMember={memberAt(play.played, at)}
              />
              {explanation !== null && <Explain explanation={explanation} />}
            </>
          )}
        </section>
      </main>
    </>
  );
};

interface Play {
  readonly id: string;
  readonly queries: ReturnType<typeof withRead>;
  readonly played: Played;
}

/** The query on the visitor; undefined while it cannot be read. */
const playOf = (init: Init, reading: QueryReading, events: readonly EngineEvent[]): Play | undefined => {
  if (reading.type === 'faults') return undefined;
  const { definition } = reading.query;
  const queries = withRead(
    definition,
    samples.map((sample) => sample.definition),
  );
  return { id: definition.id, queries, played: playQuery(init, definition.id, queries, events) };
};

const eventsOf = (source: VisitorSource): ReturnType<typeof readLog> =>
  source.type === 'log' ? readLog(source.text) : { events: visitorOf(source.seed, source.taste), faults: [] };

/** Keeps the page's address at what is shown, and answers it. */
const useAddress = (
  { text, source, at }: { readonly text: string; readonly source: VisitorSource; readonly at: number },
  setFragment: PlaygroundProps['setFragment'],
): string => {
  const [address, setAddress] = useState('');
  const [seed, taste] = source.type === 'generated' ? [source.seed, source.taste] : [1, 'anything'];
  useEffect(() => setAddress(setFragment(fragmentOf({ text, seed, taste, at }))), [text, seed, taste, at, setFragment]);
  return address;
};

/** A button that copies the address, and says so. */
const Share = ({ address }: { readonly address: string }): ReactElement => {
  const [copied, setCopied] = useState('');
  const status = useId();
  const copy = (): void =>
    void navigator.clipboard.writeText(address).then(
      () => setCopied('The address is copied. It has the query and the moment, and no recorded log.'),
      () => setCopied('The browser does not copy. The address of this page has it all, but for a recorded log.'),
    );
  return (
    <p className="share">
      <button type="button" onClick={copy} aria-describedby={status}>
        Copy a link
      </button>
      <span id={status} role="status">
        {copied}
      </span>
    </p>
  );
};
