import { useObservable, useObservableState } from 'observable-hooks';
import { type ReactElement, useState } from 'react';
import { catchError, concat, map, type Observable, of, switchMap } from 'rxjs';

import type { Change, Comparison, Published } from '../../protocol';
import { Confirmed } from '../parts/Confirmed';
import { SortedTable } from '../parts/SortedTable';
import { useStudio, useStudioState } from '../parts/studioContext';
import { count, counted } from '../parts/words';

/** What an answer of the server is, as long as there is none, and once there is. */
interface Answered<A> {
  readonly answer: A | undefined;
  readonly refused: string | undefined;
}
const waiting = { answer: undefined, refused: undefined };
const answered = <A,>(answer$: Observable<A>): Observable<Answered<A>> =>
  concat(
    of(waiting),
    answer$.pipe(
      map((answer) => ({ answer, refused: undefined })),
      catchError((error: unknown) =>
        of({ answer: undefined, refused: error instanceof Error ? error.message : String(error) }),
      ),
    ),
  );

/** What the file changes against what is published, and the way there and back. */
export const PublishView = (): ReactElement => {
  const { server } = useStudio();
  const { project, drafts } = useStudioState();
  const project$ = useObservable((inputs$) => inputs$, [project]);
  const compared$ = useObservable(() => project$.pipe(switchMap(() => answered(server.ask('compare', {})))));
  const { answer: comparison, refused } = useObservableState<Answered<Comparison>>(compared$, waiting);
  const unsaved = Object.keys(drafts).length;
  return (
    <>
      <h2>Compare and publish</h2>
      <p>{project.published === undefined ? 'Nothing was published yet.' : `Published: ${project.published}.`}</p>
      {unsaved > 0 && (
        <p className="notice">
          {counted(unsaved, 'draft')} in this browser: a draft is published only once it is saved.
        </p>
      )}
      <section aria-labelledby="changes">
        <h3 id="changes">What changes</h3>
        <p role="status" data-test="compared">
          {refused ??
            (comparison === undefined
              ? 'Comparing the file with what is published.'
              : comparison.changes.length === 0
                ? 'The file changes nothing.'
                : `${counted(comparison.changes.length, 'change')}${comparison.visitors === undefined ? '' : `, counted on ${counted(comparison.visitors, 'visitor')}`}.`)}
        </p>
        {comparison !== undefined && comparison.changes.length > 0 && <Changes comparison={comparison} />}
      </section>
      <Publication key={project.version} />
    </>
  );
};

const words: Readonly<Record<Change['what'], string>> = {
  added: 'comes',
  removed: 'goes',
  meaning: 'means something else',
  renamed: 'has another name',
  'activation added': 'activation comes',
  'activation removed': 'activation goes',
};

const Changes = ({ comparison }: { readonly comparison: Comparison }): ReactElement => {
  const { link } = useStudio();
  const { project } = useStudioState();
  const names = new Map(project.cohorts.map(({ definition: { id, name } }) => [id, name]));
  const number = (title: string, of: (members: NonNullable<Change['members']>) => number) => ({
    title,
    isNumber: true,
    by: ({ members }: Change) => (members === undefined ? -1 : of(members)),
    cell: ({ members }: Change) => (members === undefined ? '–' : count.format(of(members))),
  });
  return (
    <SortedTable
      caption="Changes of cohorts"
      rows={comparison.changes}
      keyOf={({ id, what, detail }) => `${id} ${what} ${detail}`}
      columns={[
        {
          title: 'Cohort',
          by: ({ id }) => names.get(id) ?? id,
          cell: ({ id }) =>
            names.has(id) ? (
              <a href={link({ view: 'make', cohort: id })}>
                {names.get(id) ?? id} <span className="soft">{id}</span>
              </a>
            ) : (
              id
            ),
        },
        { title: 'Change', by: ({ what }) => words[what], cell: ({ what }) => words[what] },
        { title: 'Detail', by: ({ detail }) => detail, cell: ({ detail }) => detail },
        number('Before', ({ before }) => before),
        number('After', ({ after }) => after),
        number('Entered', ({ entered }) => entered),
        number('Left', ({ left }) => left),
      ]}
    />
  );
};

/** The files, first without writing any. Publishing is possible only of what was looked at. */
const Publication = (): ReactElement => {
  const { server, studio } = useStudio();
  const { project } = useStudioState();
  const [files, setFiles] = useState<Published>();
  const [isBusy, setIsBusy] = useState(false);
  const hasErrors = project.findings.some(({ severity }) => severity === 'error');
  const run = (step: 'dryRun' | 'publish' | 'back', done: (answer: Published) => string): void => {
    if (isBusy) return;
    setIsBusy(true);
    studio.say(step === 'back' ? 'Going one step back.' : 'Building the files.');
    server.ask('publish', { step }).subscribe({
      next: (answer) => {
        setFiles(step === 'dryRun' ? answer : undefined);
        studio.say(done(answer));
      },
      error: (error: unknown) => {
        setIsBusy(false);
        studio.say(error instanceof Error ? error.message : String(error));
      },
      complete: () => setIsBusy(false),
    });
  };
  const canPublish = files !== undefined && !isBusy;
  return (
    <section aria-labelledby="files">
      <h3 id="files">Files</h3>
      {hasErrors && <p className="notice">The check finds errors in the file. They have to be mended first.</p>}
      <div className="bar">
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() =>
            run(
              'dryRun',
              (answer) => `${counted(answer.files.length, 'file')} would be published. Nothing was written.`,
            )
          }
        >
          Dry run
        </button>
        <button
          type="button"
          className="main"
          aria-disabled={!canPublish}
          aria-describedby="publish-help"
          onClick={() =>
            canPublish && run('publish', (answer) => `Published: ${counted(answer.files.length, 'file')}.`)
          }
        >
          Publish
        </button>
        <Confirmed
          label="One step back"
          question={`Put back ${project.previous ?? ''}?`}
          answer="Go back"
          isDisabled={isBusy || project.previous === undefined}
          onConfirm={() => run('back', () => 'The last publication is back.')}
        />
      </div>
      <p className="help" id="publish-help">
        Publishing is possible after a dry run of the file as it is now.
      </p>
      {files !== undefined && (
        <SortedTable
          caption="Files in the order of their upload"
          rows={files.files}
          keyOf={({ file }) => file}
          columns={[
            { title: 'File', cell: ({ file }) => <code>{file}</code> },
            { title: 'Content-Type', cell: ({ contentType }) => contentType },
            { title: 'Cache-Control', cell: ({ cacheControl }) => cacheControl },
          ]}
        />
      )}
    </section>
  );
};
