import { type ReactElement, useId } from 'react';

import type { Fault } from '../../../src/codecs/codecs';
import { tastes } from '../play/generatedVisitor';
import { Faults } from './Faults';

/** Where the visitor's events come from. */
export type VisitorSource =
  | { readonly type: 'generated'; readonly seed: number; readonly taste: string }
  | { readonly type: 'log'; readonly text: string };

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
}: SourceProps<'log'> & { readonly faults: readonly Fault[] }): ReactElement => {
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
