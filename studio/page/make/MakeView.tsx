import { type ReactElement, useLayoutEffect, useMemo, useRef, useState } from 'react';

import type { ProjectFinding } from '../../../project/check/finding';
import { pathText, shownPath, withPart } from '../form/edit';
import { type Form, formOf, jsonOf } from '../form/form';
import { prettyJson } from '../form/prettyJson';
import { useStudio, useStudioState } from '../parts/studioContext';
import { Tabs } from '../parts/Tabs';
import { decimal } from '../parts/words';
import type { Draft } from '../state/drafts';
import { Conflict } from './Conflict';
import { DraftBar } from './DraftBar';
import { type FormGiven, FormProvider } from './formContext';
import { DefinitionForm, definitionKind } from './FormPart';
import { idOf } from './inputs';
import { TextEditor } from './TextEditor';
import { type CheckedText, useCheck } from './useCheck';

interface MakeViewProps {
  readonly id: string | undefined;
  readonly draft: Draft;
  /** Why the cohort cannot be changed; undefined where it can. */
  readonly fixed: string | undefined;
}

/** A cohort as a form and as text. Each shows what is written in the other. */
export const MakeView = ({ id, draft, fixed }: MakeViewProps): ReactElement => {
  const { studio, server } = useStudio();
  const { project, vocabulary } = useStudioState();
  const [shown, setShown] = useState<'form' | 'text'>('form');
  const checked = useCheck(server.ask, id, draft.text);
  const form = useReadForm(draft.text);
  const given = useFormGiven(form, checked.findings, (next, place) => studio.edit(id, prettyJson(jsonOf(next)), place));
  useUndoKeys(id);
  const isText = parsed(draft.text) !== undefined;
  return (
    <>
      {fixed !== undefined && <p className="notice">This cohort cannot be changed here. {fixed}</p>}
      <DraftBar id={id} draft={draft} isFixed={fixed !== undefined} />
      <Conflict id={id} draft={draft} />
      <Checked checked={checked} form={form} />
      <Tabs
        id="make"
        className="phone"
        label="Form or text"
        tabs={{ form: 'Form', text: 'Text' }}
        chosen={shown}
        onChoose={setShown}
      />
      <div className="sides">
        <section
          aria-labelledby="form-title"
          className={shown === 'form' ? undefined : 'wide-only'}
          id="make-panel-form"
        >
          <h3 id="form-title">Form</h3>
          {!isText && (
            <p className="notice" role="status">
              The text is no JSON yet. The form shows what it said before.
            </p>
          )}
          <div inert={!isText || fixed !== undefined}>
            <FormProvider value={given}>
              <DefinitionForm form={form} />
            </FormProvider>
          </div>
        </section>
        <section
          aria-labelledby="text-title"
          className={shown === 'text' ? undefined : 'wide-only'}
          id="make-panel-text"
        >
          <h3 id="text-title">Text</h3>
          <p className="help" id="text-help">
            Ctrl-Space completes, Escape leaves the editor, Ctrl-Z takes a step back in text and form.
          </p>
          <TextEditor
            text={draft.text}
            onText={(text) => fixed === undefined && studio.edit(id, text, 'text')}
            onUndo={() => studio.undo(id)}
            onRedo={() => studio.redo(id)}
            findings={checked.findings}
            known={{ vocabulary, cohorts: cohortsOf(project.cohorts) }}
          />
        </section>
      </div>
    </>
  );
};

const cohortsOf = (
  cohorts: readonly { readonly definition: { readonly id: string; readonly name?: string } }[],
): FormGiven['cohorts'] => cohorts.map(({ definition: { id, name } }) => ({ id, name }));

/** A text as JSON; undefined where it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The form of a text; where it is no JSON, of the last one that was. */
const useReadForm = (text: string): Form => {
  const last = useRef<Form>({ type: 'record', of: 'definition', fields: {} });
  return useMemo(() => {
    const json = parsed(text);
    if (json !== undefined) last.current = formOf(definitionKind, json);
    return last.current;
  }, [text]);
};

const useFormGiven = (
  form: Form,
  findings: readonly ProjectFinding[],
  onForm: (form: Form, place: string) => void,
): FormGiven => {
  const { project, vocabulary } = useStudioState();
  const byPath = new Map<string, ProjectFinding[]>();
  for (const finding of findings) {
    const path = shownPath(form, finding.path);
    byPath.set(path, [...(byPath.get(path) ?? []), finding]);
  }
  return {
    vocabulary,
    cohorts: cohortsOf(project.cohorts),
    findings: byPath,
    onPart: (path, part) => onForm(withPart(form, path, part), pathText(path)),
  };
};

/** Ctrl-Z and Ctrl-Y outside the editor, for form and text alike. */
const useUndoKeys = (id: string | undefined): void => {
  const { studio } = useStudio();
  // A key may come as soon as the view is drawn.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if (key !== 'z' && !isRedo) return;
      event.preventDefault();
      if (isRedo) studio.redo(id);
      else studio.undo(id);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [studio, id]);
};

interface CheckedProps {
  readonly checked: CheckedText;
  readonly form: Form;
}

/** What the check says of the whole, with ways to the fields, and what the cohort costs. */
const Checked = ({ checked, form }: CheckedProps): ReactElement => {
  const { findings, cost, state } = checked;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const words =
    state === 'failed'
      ? 'The server does not answer, so nothing is checked.'
      : findings.length === 0
        ? 'The check finds nothing wrong.'
        : `${errors} ${errors === 1 ? 'error' : 'errors'}, ${findings.length - errors} ${findings.length - errors === 1 ? 'warning' : 'warnings'}.`;
  return (
    <div className="checked">
      <p role="status" data-test="check" className={errors > 0 ? 'error' : undefined}>
        {checked.text === '' ? '' : words}
      </p>
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map(({ path, severity, message, fix, line, column }) => (
            <li key={`${path} ${message} ${fix}`} className={severity}>
              <button type="button" className="link" onClick={() => focusPart(shownPath(form, path))}>
                {path === '' ? (line === undefined ? 'The cohort' : `Line ${line}, column ${column ?? 1}`) : path}
              </button>
              : {message}
              {fix !== '' && <> — {fix}</>}
            </li>
          ))}
        </ul>
      )}
      {cost !== undefined && (
        <p data-test="cost" className="soft">
          Adds {decimal(cost.bytes)} bytes to the file of queries, {decimal(cost.gzip)} compressed
          {cost.eventUs !== undefined &&
            `; takes ${decimal(cost.eventUs)} µs of each event of its kind on this machine`}
          .
        </p>
      )}
    </div>
  );
};

/** Moves the focus to the part of a path, or to the nearest around it that can have it. */
const focusPart = (path: string): void => {
  for (let names = path === '' ? [] : path.split('/'); ; names = names.slice(0, -1)) {
    const id = idOf(names);
    const element = document.getElementById(id) ?? document.getElementById(`${id}-construct`);
    if (element !== null) return element.focus();
    if (names.length === 0) return;
  }
};
