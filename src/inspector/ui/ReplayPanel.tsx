import { type MouseEvent, type ReactElement, useState } from 'react';

import { isoText } from '../../primitives/isoDate';
import { marbleTest } from '../marbleTest';
import type { ReplayOutcome } from '../replay/outcomes';
import type { TabReplay } from '../replay/replayInTab';
import { RecordAgain, Table, usePanel } from './parts';

/** Differences that are listed. One difference often leads to others. */
const maxDifferences = 20;

/**
 * Replays the log of this page, or one from a file, and says whether the same has happened. Saves the log, and a marble
 * test that replays it. A log that began late cannot be replayed, which is said with what to do about it.
 */
export const ReplayPanel = (): ReactElement => {
  const { log, replay, page } = usePanel();
  const { world } = page;
  const [result, setResult] = useState<TabReplay | 'running'>();
  const isRunning = result === 'running';
  const run = (text: Promise<string>): void => {
    setResult('running');
    void text.then(replay).then(setResult);
  };
  const save =
    (name: string, textOf: () => string) =>
    ({ currentTarget }: MouseEvent): void =>
      saveText(currentTarget.ownerDocument, name, textOf());
  const testOf = (): string => marbleTest(log.text(), { name: `replays ${world.page.path()}` }, world.json);
  return (
    <>
      <div className="tools">
        <button type="button" disabled={!log.isComplete || isRunning} onClick={() => run(Promise.resolve(log.text()))}>
          Replay here
        </button>
        <label>
          Replay a file
          <input
            type="file"
            accept=".ndjson,.txt"
            disabled={isRunning}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) run(file.text());
              // The same file can be chosen again.
              target.value = '';
            }}
          />
        </label>
        <button type="button" onClick={save('recording.ndjson', log.text)}>
          Save log
        </button>
        <button type="button" disabled={!log.isComplete} onClick={save('recording.marbles.ts', testOf)}>
          Save as marble test
        </button>
      </div>
      {!log.isComplete && (
        <p>
          <span className="bad">This log cannot be replayed:</span> it began when the page was running already, so it
          has not what the SDK had read before. <RecordAgain />
        </p>
      )}
      <p className="soft">
        The SDK and its engine run on the log alone, in virtual time. They read, store and send nothing, and call
        nothing of the page.
      </p>
      <section aria-label="Outcome" aria-live="polite">
        {isRunning && <p>Replaying…</p>}
        {typeof result === 'object' && <Result {...result} />}
      </section>
    </>
  );
};

const Result = (result: TabReplay): ReactElement => {
  if (result.type === 'refused') return <p className="bad">Not replayed. {result.reason}</p>;
  const { header, outcomes, differences } = result;
  const [first, ...others] = differences;
  return (
    <>
      {first === undefined ? (
        <p className="good">The same has happened: {countsOf(outcomes)}.</p>
      ) : (
        <>
          <p className="bad">Something else has happened. The first difference:</p>
          <pre>{first}</pre>
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>Further differences: {others.length}</summary>
          {others.slice(0, maxDifferences).map((text) => (
            <pre key={text}>{text}</pre>
          ))}
        </details>
      )}
      <p className="soft">
        Log of {isoText(header.clock)}, version {header.sdk}. In the replay:
      </p>
      <Table heads={['What', 'Name', 'Details']} rows={outcomes.map((outcome, i) => [i, ...cellsOf(outcome)])} />
    </>
  );
};

const countsOf = (outcomes: readonly ReplayOutcome[]): string => {
  const transitions = outcomes.filter(({ lane }) => lane === 'transitions').length;
  return `transitions ${transitions}, uploaded events ${outcomes.length - transitions}`;
};

/** Characters of an event's properties that are shown. */
const maxShownCharacters = 200;

const cellsOf = (outcome: ReplayOutcome): readonly string[] => {
  if (outcome.lane === 'transitions') return ['transition', outcome.type, outcome.cohort];
  const text = JSON.stringify(outcome.properties);
  const shown = text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
  return ['upload', outcome.type, shown];
};

/** Lets the browser save a text as a file. The address of the text ends with the document. */
const saveText = (document: Document, name: string, text: string): void => {
  const { defaultView } = document;
  if (defaultView === null) return;
  const link = document.createElement('a');
  link.href = defaultView.URL.createObjectURL(new defaultView.Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
};
