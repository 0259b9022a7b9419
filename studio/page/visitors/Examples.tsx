import { type ReactElement, useId, useState } from 'react';

import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Definition } from '../../../src/engine/language/language';
import type { Example } from '../../protocol';
import { useStudio } from '../parts/studioContext';
import { counted, momentText } from '../parts/words';
import { explainAt } from '../play/playQuery';

interface ExamplesProps {
  readonly id: string;
  readonly examples: readonly Example[];
  /** The cohort and those that it reads; undefined while it cannot be read. */
  readonly queries: readonly Definition[] | undefined;
  readonly onShow: (example: Example) => void;
}

/** The examples that are kept with the cohort, each with whether the cohort as it is written now passes. */
export const Examples = ({ id, examples, queries, onShow }: ExamplesProps): ReactElement => {
  const { studio } = useStudio();
  if (examples.length === 0)
    return <p className="soft">None yet. An example is a visitor that is kept with the cohort, and that check runs.</p>;
  const remove = (name: string): void =>
    void studio
      .saveExamples(
        id,
        examples.filter((example) => example.name !== name),
      )
      .subscribe(() => studio.say(`The example “${name}” is removed.`));
  return (
    <ul className="examples">
      {examples.map((example) => {
        const verdict = verdictOf(queries, example);
        return (
          <li key={example.name}>
            <span className={`badge ${verdict === 'failed' ? 'error' : ''}`}>{verdict}</span>{' '}
            <strong>{example.name}</strong>: {example.isMember ? 'a member' : 'not a member'} at{' '}
            {momentText(example.at)}, {counted(example.events.length, 'event')}{' '}
            <button type="button" className="small" onClick={() => onShow(example)}>
              Show<span className="hidden"> {example.name}</span>
            </button>{' '}
            <button type="button" className="small quiet" onClick={() => remove(example.name)}>
              Remove<span className="hidden"> {example.name}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
};

const verdictOf = (
  queries: readonly Definition[] | undefined,
  { events, at, isMember }: Example,
): 'passed' | 'failed' | 'not run' => {
  const id = queries?.[0]?.id;
  if (queries === undefined || id === undefined) return 'not run';
  return explainAt(id, queries, events, at)?.result === isMember ? 'passed' : 'failed';
};

interface KeepExampleProps {
  readonly id: string;
  readonly examples: readonly Example[];
  readonly events: readonly EngineEvent[];
  readonly at: number;
  readonly isMember: boolean;
}

/** Keeps the visitor up to the moment that is looked at. What is expected is what is so now, unless it is changed. */
export const KeepExample = ({ id, examples, events, at, isMember }: KeepExampleProps): ReactElement => {
  const { studio } = useStudio();
  const [name, setName] = useState('');
  const [expected, setExpected] = useState<boolean>();
  const [nameField, expectedField] = [useId(), useId()];
  const canKeep = name.trim() !== '' && !examples.some((example) => example.name === name.trim());
  const keep = (): void => {
    if (!canKeep) return;
    const example: Example = {
      name: name.trim(),
      at: Math.round(at),
      isMember: expected ?? isMember,
      events: events.filter(({ time }) => time <= at),
    };
    studio.saveExamples(id, [...examples, example]).subscribe(() => {
      setName('');
      setExpected(undefined);
      studio.say(`The example “${example.name}” is kept with cohort ${id}.`);
    });
  };
  return (
    <form
      className="row keep"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <span>
        <label htmlFor={nameField}>Name of the example</label>
        <input id={nameField} value={name} onChange={({ target }) => setName(target.value)} />
      </span>
      <span>
        <label htmlFor={expectedField}>Expected</label>
        <select
          id={expectedField}
          value={String(expected ?? isMember)}
          onChange={({ target }) => setExpected(target.value === 'true')}
        >
          <option value="true">a member</option>
          <option value="false">not a member</option>
        </select>
      </span>
      <button type="submit" aria-disabled={!canKeep}>
        Keep as example
      </button>
    </form>
  );
};
