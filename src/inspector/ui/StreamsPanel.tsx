import { Fragment, type KeyboardEvent, type ReactElement, useState } from 'react';

import { causesIn, chainTo, effectsIn } from '../chains';
import { type Lane, lanes, type LogEntry } from '../logEntry';
import { arrowStep, Choice, EntryList, PanelProvider, RecordAgain, secondsText, TextField, usePanel } from './parts';

/** What the browser was asked is for the replay; nobody looks at it. */
const shownLanes = lanes.filter((lane) => lane !== 'door');
/** Widths of the window of time, in seconds. */
const spans: Readonly<Record<string, string>> = { 5: '5 s', 30: '30 s', 120: '120 s', 600: '600 s' };
/** Marbles that a lane draws: the latest of the window. */
const maxMarbles = 100;

/**
 * Live marble lanes of the named streams. A marble shows its value and its chain: what it came from, and what came of
 * it, each hop a link, which moves the window to where the hop is. A window in the past stands still.
 */
export const StreamsPanel = (): ReactElement => {
  const panel = usePanel();
  const [paused, setPaused] = useState<readonly LogEntry[]>();
  const [span, setSpan] = useState('30');
  /** How many seconds before the last entry the window ends. */
  const [back, setBack] = useState(0);
  const [filter, setFilter] = useState('');
  const entries = paused ?? panel.entries;
  const last = entries.at(-1)?.t ?? 0;
  const to = Math.max(last - back * 1000, 0);
  const from = Math.max(0, to - Number(span) * 1000);
  const matches = (type: string): boolean => type.toLowerCase().includes(filter.trim().toLowerCase());
  const wanted = entries.filter(({ t, type }) => t >= from && t <= to && matches(type));
  const onBack = (seconds: number): void => {
    setBack(seconds);
    setPaused(entries);
  };
  const onPause = (): void => {
    setPaused(paused ? undefined : entries);
    setBack(0);
  };
  const onShow = (id: number): void => {
    panel.onShow(id);
    const t = entries.find((other) => other.id === id)?.t ?? to;
    // The entry is then in the middle of the window.
    if (t < from || t > to) onBack(Math.max(0, Math.floor((last - t) / 1000 - Number(span) / 2)));
  };
  return (
    <PanelProvider value={{ ...panel, entries, onShow }}>
      <div className="split">
        <div>
          <div className="tools" role="toolbar" aria-label="Streams">
            <button type="button" aria-pressed={paused !== undefined} onClick={onPause}>
              {paused ? 'Go on' : 'Pause'}
            </button>
            <Choice name="Window" value={span} choices={spans} onChange={setSpan} />
            <TextField name="Filter" type="search" value={filter} onText={setFilter} />
            <TextField
              name="Back"
              type="range"
              min={0}
              max={Math.ceil(last / 1000)}
              value={back}
              aria-valuetext={`${back} seconds before the last entry`}
              onText={(seconds) => onBack(Number(seconds))}
            />
          </div>
          {shownLanes.map((lane) => (
            <LaneRow key={lane} {...{ lane, from, to }} marbles={wanted.filter((entry) => entry.lane === lane)} />
          ))}
          <div className="axis">
            <span>{secondsText(from)}</span>
            <span>{secondsText(to)}</span>
          </div>
          {!panel.log.isComplete && <BeganLate />}
        </div>
        <Details />
      </div>
    </PanelProvider>
  );
};

const BeganLate = (): ReactElement => (
  <p className="soft">
    This log began when the page was running already, so the lanes show nothing of what happened before. <RecordAgain />
  </p>
);

interface LaneProps {
  readonly lane: Lane;
  readonly marbles: readonly LogEntry[];
  readonly from: number;
  readonly to: number;
}

/**
 * The row of one lane. Tab enters the row at its last marble, or the selected one; arrow keys go from marble to marble.
 */
const LaneRow = ({ lane, marbles, from, to }: LaneProps): ReactElement => {
  const { selected, onShow } = usePanel();
  const entries = marbles.slice(-maxMarbles);
  const stop = entries.find(({ id }) => id === selected) ?? entries.at(-1);
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent): void => {
    const step = arrowStep(key);
    const next = step === undefined || stop === undefined ? undefined : entries[entries.indexOf(stop) + step];
    if (next === undefined) return;
    onShow(next.id);
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
            onClick={() => onShow(entry.id)}
          />
        ))}
      </div>
    </div>
  );
};

/** Entries that an entry is linked with, by their titles. */
const hops = { Chain: chainTo, 'Came from': causesIn, 'Led to': effectsIn };

const Details = (): ReactElement => {
  const { entries, selected } = usePanel();
  const entry = entries.find(({ id }) => id === selected);
  if (entry === undefined) return <p className="soft">Choose a marble to see its value and its chain.</p>;
  return (
    <section aria-label="Chosen entry">
      <h2>
        {entry.lane}: {entry.type} <span className="soft">at {secondsText(entry.t)}</span>
      </h2>
      {Object.entries(hops).map(([title, hopsOf]) => (
        <Fragment key={title}>
          <h2>{title}</h2>
          <EntryList
            entries={hopsOf(entry, entries)}
            none="Nothing in this log."
            nameOf={({ lane, type }) => `${lane}: ${type}`}
          />
        </Fragment>
      ))}
      <h2>Value</h2>
      <pre>{JSON.stringify(entry.data, null, 2)}</pre>
    </section>
  );
};
