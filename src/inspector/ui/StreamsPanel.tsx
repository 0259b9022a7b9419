import { type KeyboardEvent, type ReactElement, useState } from 'react';

import { causesIn, chainTo, effectsIn } from '../chains';
import { type Lane, lanes, type LogEntry } from '../logEntry';
import type { PanelProps } from './panelProps';
import { Choice, EntryList, secondsText } from './parts';

/** What the browser was asked is for the replay; nobody looks at it. */
const shownLanes = lanes.filter((lane) => lane !== 'door');
/** Widths of the window of time, in seconds. */
const spans: Readonly<Record<string, string>> = { 5: '5 s', 30: '30 s', 120: '120 s', 600: '600 s' };
/** Marbles that a lane draws: the latest of the window. */
const maxMarbles = 100;

interface StreamsProps extends PanelProps {
  readonly selected?: number | undefined;
  readonly setSelected?: (id: number | undefined) => void;
}

/**
 * Live marble lanes of the named streams. A marble shows its value and its chain: what it came from, and what came of
 * it, each hop a link, which moves the window to where the hop is. A window in the past stands still.
 */
export const StreamsPanel = ({ entries, selected, setSelected }: StreamsProps): ReactElement => {
  const [paused, setPaused] = useState<readonly LogEntry[]>();
  const [span, setSpan] = useState('30');
  const [back, setBack] = useState(0);
  const [filter, setFilter] = useState('');
  const all = paused ?? entries;
  const last = all.at(-1)?.t ?? 0;
  const to = Math.max(last - back * 1000, 0);
  const from = Math.max(0, to - Number(span) * 1000);
  const wanted = all.filter(({ t, type }) => t >= from && t <= to && matches(type, filter));
  const onBack = (seconds: number): void => {
    setBack(seconds);
    setPaused(all);
  };
  const onPause = (): void => {
    setPaused(paused ? undefined : entries);
    setBack(0);
  };
  const onSelect = (id: number): void => {
    setSelected?.(id);
    const entry = all.find((other) => other.id === id);
    if (entry !== undefined && (entry.t < from || entry.t > to)) onBack(backTo(entry.t, last, Number(span)));
  };
  return (
    <div className="split">
      <div>
        <div className="tools" role="toolbar" aria-label="Streams">
          <button type="button" aria-pressed={paused !== undefined} onClick={onPause}>
            {paused ? 'Go on' : 'Pause'}
          </button>
          <Choice name="Window" value={span} choices={spans} onChange={setSpan} />
          <label>
            Filter <input type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />
          </label>
          <Back back={back} lastMs={last} onBack={onBack} />
        </div>
        {shownLanes.map((lane) => (
          <LaneRow
            key={lane}
            lane={lane}
            entries={wanted.filter((entry) => entry.lane === lane).slice(-maxMarbles)}
            from={from}
            to={to}
            selected={selected}
            onSelect={onSelect}
          />
        ))}
        <div className="axis">
          <span>{secondsText(from)}</span>
          <span>{secondsText(to)}</span>
        </div>
      </div>
      <Details entry={all.find(({ id }) => id === selected)} entries={all} onSelect={onSelect} />
    </div>
  );
};

/** How many seconds before the last entry the window ends that has this entry in its middle. */
const backTo = (t: number, last: number, span: number): number => Math.max(0, Math.floor((last - t) / 1000 - span / 2));

interface BackProps {
  readonly back: number;
  readonly lastMs: number;
  readonly onBack: (back: number) => void;
}

/** Moves the window into the past, in seconds. */
const Back = ({ back, lastMs, onBack }: BackProps): ReactElement => (
  <label>
    Back
    <input
      type="range"
      min={0}
      max={Math.ceil(lastMs / 1000)}
      value={back}
      aria-valuetext={`${back} seconds before the last entry`}
      onChange={({ target }) => onBack(Number(target.value))}
    />
  </label>
);

const matches = (type: string, filter: string): boolean => type.toLowerCase().includes(filter.trim().toLowerCase());

interface LaneProps {
  readonly lane: Lane;
  readonly entries: readonly LogEntry[];
  readonly from: number;
  readonly to: number;
  readonly selected: number | undefined;
  readonly onSelect: ((id: number) => void) | undefined;
}

/**
 * The row of one lane. Tab enters the row at its last marble, or the selected one; arrow keys go from marble to marble.
 */
const LaneRow = ({ lane, entries, from, to, selected, onSelect }: LaneProps): ReactElement => {
  const stop = entries.find(({ id }) => id === selected) ?? entries.at(-1);
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined || stop === undefined) return;
    const next = entries[entries.indexOf(stop) + step];
    if (next === undefined) return;
    onSelect?.(next.id);
    currentTarget.querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus();
  };
  return (
    <div className="lane" role="group" aria-label={`${lane}: ${entries.length}`} onKeyDown={onKeyDown}>
      <span>{lane}</span>
      <div className="track">
        {entries.map((entry) => (
          <button
            key={entry.id}
            type="button"
            className="marble"
            data-lane={lane}
            data-id={entry.id}
            aria-label={`${entry.type} at ${secondsText(entry.t)}`}
            aria-pressed={entry.id === selected}
            title={entry.type}
            tabIndex={entry === stop ? 0 : -1}
            style={{ left: `${(100 * (entry.t - from)) / Math.max(1, to - from)}%` }}
            onClick={() => onSelect?.(entry.id)}
          />
        ))}
      </div>
    </div>
  );
};

interface DetailsProps {
  readonly entry: LogEntry | undefined;
  readonly entries: readonly LogEntry[];
  readonly onSelect: ((id: number) => void) | undefined;
}

const Details = ({ entry, entries, onSelect }: DetailsProps): ReactElement => {
  if (entry === undefined) return <p className="soft">Choose a marble to see its value and its chain.</p>;
  return (
    <section aria-label="Chosen entry">
      <h2>
        {entry.lane}: {entry.type} <span className="soft">at {secondsText(entry.t)}</span>
      </h2>
      <Hops title="Chain" entries={chainTo(entry, entries)} onSelect={onSelect} />
      <Hops title="Came from" entries={causesIn(entry, entries)} onSelect={onSelect} />
      <Hops title="Led to" entries={effectsIn(entry, entries)} onSelect={onSelect} />
      <h2>Value</h2>
      <pre>{JSON.stringify(entry.data, null, 2)}</pre>
    </section>
  );
};

interface HopsProps {
  readonly title: string;
  readonly entries: readonly LogEntry[];
  readonly onSelect: ((id: number) => void) | undefined;
}

const Hops = ({ title, entries, onSelect }: HopsProps): ReactElement => (
  <>
    <h2>{title}</h2>
    <EntryList
      entries={entries}
      onShow={(id) => onSelect?.(id)}
      none="Nothing in this log."
      nameOf={({ lane, type }) => `${lane}: ${type}`}
    />
  </>
);
