import { type ReactElement, useId } from 'react';

import type { Fault } from '../../src/codecs/codecs';
import { Faults } from './Faults';
import { tastes } from './visitor';

/** Where the visitor's events come from. */
export type VisitorSource =
  | { readonly type: 'generated'; readonly seed: number; readonly taste: string }
  | { readonly type: 'log'; readonly text: string };

interface VisitorPanelProps {
  readonly source: VisitorSource;
  readonly onSource: (source: VisitorSource) => void;
  /** Number of events that were found. */
  readonly count: number;
  readonly faults: readonly Fault[];
}

/** Chooses a generated reader, or takes a recorded log. */
export const VisitorPanel = ({ source, onSource, count, faults }: VisitorPanelProps): ReactElement => {
  const generated = source.type === 'generated' ? source : firstReader;
  const choice = (type: VisitorSource['type'], label: string, chosen: VisitorSource): ReactElement => (
    <label className="choice">
      <input type="radio" name="source" checked={source.type === type} onChange={() => onSource(chosen)} /> {label}
    </label>
  );
  return (
    <section aria-labelledby="visitor">
      <h2 id="visitor">Visitor</h2>
      <fieldset>
        <legend>Events</legend>
        {choice('generated', 'of a generated reader', generated)}
        {choice('log', 'of a recorded log', { type: 'log', text: '' })}
      </fieldset>
      {source.type === 'generated' ? (
        <GeneratedVisitor source={source} onSource={onSource} />
      ) : (
        <LoggedVisitor source={source} onSource={onSource} faults={faults} />
      )}
      <p data-test="events">{count === 1 ? '1 event' : `${count} events`}</p>
    </section>
  );
};

export const firstReader = { type: 'generated', seed: 1, taste: 'anything' } as const satisfies VisitorSource;

interface SourceProps<Type extends VisitorSource['type']> {
  readonly source: Extract<VisitorSource, { readonly type: Type }>;
  readonly onSource: (source: Extract<VisitorSource, { readonly type: Type }>) => void;
}

/** A reader of the demo's paper, and another one at the press of a button. */
export const GeneratedVisitor = ({ source, onSource }: SourceProps<'generated'>): ReactElement => {
  const taste = useId();
  return (
    <>
      <label htmlFor={taste}>Likes to read</label>
      <select id={taste} value={source.taste} onChange={({ target }) => onSource({ ...source, taste: target.value })}>
        {tastes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <p>
        <button type="button" onClick={() => onSource({ ...source, seed: source.seed + 1 })}>
          Another reader
        </button>{' '}
        Reader {source.seed}, four weeks
      </p>
    </>
  );
};

/** A log, written into a field or read of a file. */
export const LoggedVisitor = ({
  source,
  onSource,
  faults,
}: SourceProps<'log'> & Pick<VisitorPanelProps, 'faults'>): ReactElement => {
  const [log, wrong] = [useId(), useId()];
  return (
    <>
      <label htmlFor={log}>
        Log of <code>permutive.recording()</code>, one line of JSON an entry. It stays in this page.
      </label>
      <textarea
        id={log}
        value={source.text}
        rows={8}
        spellCheck={false}
        aria-invalid={faults.length > 0}
        aria-describedby={wrong}
        onChange={({ target }) => onSource({ type: 'log', text: target.value })}
      />
      <label className="choice">
        Or a file{' '}
        <input
          type="file"
          accept=".ndjson,.jsonl,.json,.txt"
          onChange={({ target }) => void target.files?.[0]?.text().then((text) => onSource({ type: 'log', text }))}
        />
      </label>
      <Faults id={wrong} title="Lines that cannot be read" faults={faults} />
    </>
  );
};
