import { type ReactElement, type ReactNode, useState } from 'react';

import type { Scalar } from '../../../src/engine/language/language';
import { type Path, pathText } from '../form/edit';
import { lineOf, linesOf, numberOf, operandOf, operandsOf } from '../form/lines';
import { useForm } from './formContext';

/** Id of the element of a path. Ids have no spaces. */
export const idOf = (path: Path): string => `part-${encodeURIComponent(pathText(path))}`;

interface FindingsProps {
  readonly path: Path;
}

/** What is wrong with a part, tied to it by its id. */
export const Findings = ({ path }: FindingsProps): ReactElement | null => {
  const found = useForm().findings.get(pathText(path)) ?? [];
  return found.length === 0 ? null : (
    <ul className="findings" id={`${idOf(path)}-findings`}>
      {found.map(({ severity, message, fix }) => (
        <li key={`${message} ${fix}`} className={severity}>
          <strong>{severity === 'error' ? 'Error' : 'Warning'}:</strong> {message}
          {fix !== '' && <> — {fix}</>}
        </li>
      ))}
    </ul>
  );
};

/** What ties an input to its help and its findings. */
export const useDescription = (path: Path): { 'aria-describedby': string; 'aria-invalid': boolean } => {
  const found = useForm().findings.get(pathText(path)) ?? [];
  return {
    'aria-describedby': `${idOf(path)}-help${found.length > 0 ? ` ${idOf(path)}-findings` : ''}`,
    'aria-invalid': found.some(({ severity }) => severity === 'error'),
  };
};

/**
 * What somebody types, which may be no value yet or another writing of the same value. The text is replaced only where
 * the value has become another.
 */
export const useTyped = <A,>(
  value: A,
  textOf: (value: A) => string,
  valueOf: (text: string) => A,
): readonly [string, (text: string) => void] => {
  const [text, setText] = useState(textOf(value));
  const isSame = textOf(valueOf(text)) === textOf(value);
  return [isSame ? text : textOf(value), setText];
};

interface InputProps<A> {
  readonly path: Path;
  readonly value: A;
  readonly onValue: (value: A) => void;
  readonly id?: string;
  /** Where nothing else names the input. */
  readonly label?: string;
}

/** One line of text, with completions. */
export const TextInput = ({
  path,
  value,
  onValue,
  list,
  id = idOf(path),
  label,
}: InputProps<string> & { readonly list?: string | undefined }): ReactElement => (
  <input
    id={id}
    value={value}
    list={list}
    spellCheck={false}
    autoComplete="off"
    aria-label={label}
    {...useDescription(path)}
    onChange={({ target }) => onValue(target.value)}
  />
);

const numberText = (value: Scalar): string => String(value);
const numberOrText = (text: string): Scalar => numberOf(text) ?? text;

/** A number. What is no number yet is kept as text, which the check then names. */
export const NumberInput = ({ path, value, onValue, id = idOf(path), label }: InputProps<Scalar>): ReactElement => {
  const [text, setText] = useTyped(value, numberText, numberOrText);
  return (
    <input
      id={id}
      className="number"
      inputMode="decimal"
      value={text}
      aria-label={label}
      {...useDescription(path)}
      onChange={({ target }) => {
        setText(target.value);
        onValue(numberOrText(target.value));
      }}
    />
  );
};

/** One text or number; a text that looks like a number is written in quotes. */
export const OperandInput = ({
  path,
  value,
  onValue,
  list,
}: InputProps<Scalar> & { readonly list?: string | undefined }): ReactElement => {
  const [text, setText] = useTyped(value, lineOf, (line) => (line === '' ? '' : operandOf(line)));
  return (
    <input
      id={idOf(path)}
      value={text === '""' ? '' : text}
      list={list}
      spellCheck={false}
      autoComplete="off"
      {...useDescription(path)}
      onChange={({ target }) => {
        setText(target.value);
        onValue(target.value === '' ? '' : operandOf(target.value));
      }}
    />
  );
};

const maxShown = 40;

/** Texts and numbers, one a line. Frequent values can be added by a button. */
export const OperandsInput = ({
  path,
  value,
  onValue,
  frequent,
}: InputProps<readonly Scalar[]> & { readonly frequent: readonly Scalar[] }): ReactElement => {
  const [text, setText] = useTyped(value, linesOf, operandsOf);
  // A whole address is no operand that somebody would pick.
  const more = frequent.filter((each) => !value.includes(each) && lineOf(each).length <= maxShown).slice(0, 8);
  return (
    <>
      <textarea
        id={idOf(path)}
        rows={Math.min(Math.max(text.split('\n').length, 2), 8)}
        value={text}
        spellCheck={false}
        {...useDescription(path)}
        onChange={({ target }) => {
          setText(target.value);
          onValue(operandsOf(target.value));
        }}
      />
      {more.length > 0 && (
        <p className="frequent">
          <span className="soft">Often seen:</span>{' '}
          {more.map((each) => (
            <button key={lineOf(each)} type="button" className="small" onClick={() => onValue([...value, each])}>
              <span className="hidden">Add </span>
              {lineOf(each)}
            </button>
          ))}
        </p>
      )}
    </>
  );
};

interface SelectProps extends InputProps<string> {
  readonly options: Readonly<Record<string, string>>;
}

/** One of a few. A value that is none of them stays there until another is chosen. */
export const Select = ({ path, value, onValue, options, id = idOf(path), label }: SelectProps): ReactElement => (
  <select
    id={id}
    value={value}
    aria-label={label}
    {...useDescription(path)}
    onChange={({ target }) => onValue(target.value)}
  >
    {!Object.hasOwn(options, value) && <option value={value}>{value}</option>}
    {Object.entries(options).map(([key, words]) => (
      <option key={key} value={key}>
        {words}
      </option>
    ))}
  </select>
);

interface LabelledProps {
  readonly path: Path;
  readonly label: string;
  readonly help: string;
  /** Removes the field; undefined where it must be there. */
  readonly onRemove: (() => void) | undefined;
  /** Whether several inputs belong to the field, which then is a group. */
  readonly isGroup: boolean;
  readonly children: ReactNode;
}

/** A field with its label, its help and what is wrong with it. */
export const Labelled = ({ path, label, help, onRemove, isGroup, children }: LabelledProps): ReactElement => {
  const remove = onRemove !== undefined && (
    <button type="button" className="small quiet" onClick={onRemove}>
      Remove<span className="hidden"> {label}</span>
    </button>
  );
  const rest = (
    <>
      <p className="help" id={`${idOf(path)}-help`}>
        {help}
      </p>
      {children}
      <Findings path={path} />
    </>
  );
  return isGroup ? (
    <fieldset className="field">
      <legend>
        {label} {remove}
      </legend>
      {rest}
    </fieldset>
  ) : (
    <div className="field">
      <div className="name">
        <label htmlFor={idOf(path)}>{label}</label> {remove}
      </div>
      {rest}
    </div>
  );
};
