import { type ReactElement, useState } from 'react';

import { readAs } from '../../../src/codecs/codecs';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';
import type { Sized } from '../../protocol';
import { SortedTable } from '../parts/SortedTable';
import { useStudio, useStudioState } from '../parts/studioContext';
import { count, decimal, share } from '../parts/words';
import { DayChart } from './DayChart';
import { GroupTable } from './GroupTable';
import { type Sizing, useSize } from './useSize';

/** How many visitors are in the cohort as it is written now. */
export const SizeView = ({ text }: { readonly text: string }): ReactElement => {
  const { server } = useStudio();
  const { project } = useStudioState();
  const [isStopped, setIsStopped] = useState<string>();
  const readable = readableText(text);
  const wanted = project.visits === undefined || isStopped === readable ? undefined : readable;
  const sizing = useSize(server.size, wanted);
  if (project.visits === undefined)
    return (
      <p className="notice">
        There are no visits to count. Start Studio with <code>--data FILE</code> or <code>--nats URL</code>.
      </p>
    );
  if (readable === undefined)
    return <p className="notice">The cohort cannot be read yet. The view “Make” says what is wrong.</p>;
  const { estimate, sized, refused } = sizing;
  const shown = sized ?? estimate;
  return (
    <>
      <p className="soft">Visits: {project.visits}</p>
      <Progress
        sizing={sizing}
        isStopped={wanted === undefined}
        onStop={() => setIsStopped(readable)}
        onStart={() => setIsStopped(undefined)}
      />
      {refused !== undefined && (
        <p className="notice error" role="alert">
          {refused}
        </p>
      )}
      {shown !== undefined && <Result shown={shown} error={sized === undefined ? estimate?.error : undefined} />}
    </>
  );
};

/** The text, where the engine can read it. */
const readableText = (text: string): string | undefined => {
  try {
    const json: unknown = JSON.parse(text);
    return readAs(DefinitionCodec, json) instanceof Error ? undefined : JSON.stringify(json);
  } catch {
    return undefined;
  }
};

interface ProgressProps {
  readonly sizing: Sizing;
  readonly isStopped: boolean;
  readonly onStop: () => void;
  readonly onStart: () => void;
}

const Progress = ({ sizing, isStopped, onStop, onStart }: ProgressProps): ReactElement => {
  const { estimate, progress, sized, refused } = sizing;
  const isOver = sized !== undefined || refused !== undefined;
  const words = isStopped
    ? 'Counting was stopped.'
    : sized !== undefined
      ? `Counted in ${decimal(sized.ms / 1000)} s.`
      : refused !== undefined
        ? ''
        : estimate === undefined
          ? 'Looking at a sample.'
          : 'This is an estimate of a sample. All visits are being counted.';
  return (
    <div className="row">
      <p role="status" data-test="sizing">
        {words}
      </p>
      {!isStopped && !isOver && (
        <>
          <progress
            aria-label="Events counted"
            max={progress?.of ?? 1}
            {...(progress !== undefined && { value: progress.events })}
          />
          <button type="button" onClick={onStop}>
            Stop
          </button>
        </>
      )}
      {isStopped && (
        <button type="button" onClick={onStart}>
          Count
        </button>
      )}
    </div>
  );
};

interface ResultProps {
  readonly shown: Sized;
  /** Of an estimate, half the width of its interval. */
  readonly error: number | undefined;
}

const Result = ({ shown, error }: ResultProps): ReactElement => {
  const { link } = useStudio();
  const { project } = useStudioState();
  const names = new Map(project.cohorts.map(({ definition: { id, name } }) => [id, name]));
  const { members, visitors, days, overlaps, experiment } = shown;
  return (
    <>
      <p className="size" data-test="size">
        <strong>
          {error !== undefined && 'about '}
          {count.format(members)}
          {error !== undefined && <> ± {count.format(error)}</>}
        </strong>{' '}
        of {count.format(visitors)} visitors, {share(members, visitors)}
      </p>
      <DayChart days={days} />
      {experiment !== undefined && <GroupTable experiment={experiment} visitors={visitors} />}
      {overlaps === undefined ? (
        <p>The members in common with other cohorts are still to be counted.</p>
      ) : overlaps.length === 0 ? (
        <p>No other cohort has members in common with this one.</p>
      ) : (
        <SortedTable
          caption="Members in common with other cohorts"
          rows={overlaps}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Cohort',
              by: ({ id }) => names.get(id) ?? id,
              cell: ({ id }) => (
                <a href={link({ view: 'size', cohort: id })}>
                  {names.get(id) ?? id} <span className="soft">{id}</span>
                </a>
              ),
            },
            { title: 'In both', isNumber: true, by: ({ both }) => both, cell: ({ both }) => count.format(both) },
            {
              title: 'Of this cohort',
              isNumber: true,
              by: ({ both }) => both,
              cell: ({ both }) => share(both, members),
            },
            {
              title: 'Members of the other',
              isNumber: true,
              by: (row) => row.members,
              cell: (row) => count.format(row.members),
            },
            {
              title: 'Of the other',
              isNumber: true,
              by: (row) => (row.members === 0 ? 0 : row.both / row.members),
              cell: (row) => share(row.both, row.members),
            },
          ]}
        />
      )}
    </>
  );
};
