import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { parseTree } from 'jsonc-parser';
import { type ReactElement, useEffect, useRef } from 'react';

import type { ProjectFinding } from '../../../project/check/finding';
import { nodeAt } from '../../../project/json/places';
import { completionsAt, type Known } from './completions';

// CodeMirror 6: screen readers can use it, Tab leaves it, phones can type into it, and it styles itself without a
// worker or a file of its own. Monaco is five times its size and no editor for phones.

interface TextEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly findings: readonly ProjectFinding[];
  readonly known: Known;
}

/** Marks a change that came from outside, so that it is not told again. */
const fromOutside = Annotation.define<boolean>();

/** The text of a cohort. Steps back are the draft’s, which the form shares. */
export const TextEditor = (props: TextEditorProps): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // The editor is made once, and calls what the page has last given it.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (place.current === null) return;
    view.current = new EditorView({ parent: place.current, state: editorState(latest) });
    return () => view.current?.destroy();
  }, []);
  const { text, findings } = props;
  useEffect(() => {
    if (view.current !== null) replaceText(view.current, text);
  }, [text]);
  useEffect(() => {
    const { current } = view;
    current?.dispatch(setDiagnostics(current.state, marksOf(current.state.doc.toString(), findings)));
  }, [findings, text]);
  return <div className="editor" ref={place} data-test="text" />;
};

const editorState = (latest: { readonly current: TextEditorProps }): EditorState =>
  EditorState.create({
    doc: latest.current.text,
    extensions: [
      lineNumbers(),
      drawSelection(),
      EditorView.lineWrapping,
      json(),
      syntaxHighlighting(classHighlighter),
      bracketMatching(),
      closeBrackets(),
      autocompletion({
        override: [
          ({ state, pos, explicit }) => {
            const { from, to, options } = completionsAt(state.doc.toString(), pos, latest.current.known);
            // Beside a value, completions come only when they are asked for.
            if (options.length === 0 || (!explicit && from === pos)) return null;
            return {
              from,
              to,
              filter: false,
              options: matching(options, state.sliceDoc(from, pos)).map(({ label, detail, text }) => ({
                label,
                detail,
                apply: text,
              })),
            };
          },
        ],
      }),
      keymap.of([
        { key: 'Mod-z', run: () => (latest.current.onUndo(), true), preventDefault: true },
        { key: 'Mod-y', mac: 'Mod-Shift-z', run: () => (latest.current.onRedo(), true), preventDefault: true },
        { key: 'Mod-Shift-z', run: () => (latest.current.onRedo(), true), preventDefault: true },
        ...completionKeymap,
        ...closeBracketsKeymap,
        ...lintKeymap,
        ...defaultKeymap,
        // Where no list is open, Escape leaves the editor. Tab always does.
        { key: 'Escape', run: (editor) => (editor.contentDOM.blur(), true) },
      ]),
      EditorView.contentAttributes.of({ 'aria-label': 'Text of the cohort, in JSON', 'aria-describedby': 'text-help' }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.some((transaction) => transaction.annotation(fromOutside) === true))
          latest.current.onText(state.doc.toString());
      }),
    ],
  });

/** Completions that have what is typed in them, those that begin with it first. */
const matching = <A extends { readonly label: string }>(options: readonly A[], typed: string): readonly A[] => {
  const wanted = typed.replace(/^"|"$/g, '').toLowerCase();
  return options
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .sort(
      (a, b) => Number(b.label.toLowerCase().startsWith(wanted)) - Number(a.label.toLowerCase().startsWith(wanted)),
    );
};

/** Replaces only what differs, so that the cursor stays where it is. */
const replaceText = (view: EditorView, text: string): void => {
  const now = view.state.doc.toString();
  if (now === text) return;
  const shorter = Math.min(now.length, text.length);
  let begin = 0;
  while (begin < shorter && now[begin] === text[begin]) begin++;
  let end = 0;
  while (end < shorter - begin && now[now.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from: begin, to: now.length - end, insert: text.slice(begin, text.length - end) },
    annotations: fromOutside.of(true),
  });
};

/** Findings as marks in the text: each at the part that its path leads to. */
const marksOf = (text: string, findings: readonly ProjectFinding[]): readonly Diagnostic[] => {
  const root = parseTree(text);
  return findings.map(({ path, severity, message, fix, line, column }) => {
    const offset = line === undefined ? undefined : offsetOf(text, line, column ?? 1);
    const node = root && nodeAt(root, path);
    const [from, to] =
      offset !== undefined && path === ''
        ? [Math.min(offset, text.length), Math.min(offset + 1, text.length)]
        : node === undefined || path === ''
          ? [0, Math.min(1, text.length)]
          : [node.offset, node.offset + node.length];
    return { from, to, severity, message: fix === '' ? message : `${message}. ${fix}` };
  });
};

const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0) +
  column -
  1;
