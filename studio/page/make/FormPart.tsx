import { createContext, type ReactElement, useContext, useState } from 'react';

import { unions } from '../../../project/language/constructs';
import type { Completion, Construct, Field, Kind } from '../../../project/language/kinds';
import type { Scalar } from '../../../src/engine/language/language';
import { asConstruct, moved, type Path, pathText, withField, wrapped } from '../form/edit';
import { comparisons, fieldsOf, type Form, formOf, jsonOf, scopes, units } from '../form/form';
import { numberOf } from '../form/lines';
import { prettyJson } from '../form/prettyJson';
import { useForm } from './formContext';
import { Findings, idOf, Labelled, NumberInput, OperandInput, OperandsInput, Select, TextInput } from './inputs';

/** The path that a test reads, around the inputs of its operands: frequent values are those of that path. */
const TestedPath = createContext<string | undefined>(undefined);

interface PartProps<A extends Form = Form> {
  readonly path: Path;
  readonly form: A;
  readonly kind: Kind;
}
type Of<Type extends Form['type']> = Extract<Form, { readonly type: Type }>;

/** Kinds whose field has several inputs, or parts of its own. */
const groupKinds: readonly Kind['type'][] = [
  'union',
  'record',
  'list',
  'table',
  'comparison',
  'duration',
  'range',
  'names',
];

/** One part of the form. */
export const FormPart = ({ path, form, kind }: PartProps): ReactElement => {
  switch (form.type) {
    case 'node':
      return <NodePart path={path} form={form} kind={kind} />;
    case 'record':
      return <FieldsPart path={path} form={form} kind={kind} />;
    case 'list':
      return <ListPart path={path} form={form} kind={kind} />;
    case 'table':
      return <TablePart path={path} form={form} kind={kind} />;
    case 'raw':
      return <RawPart path={path} form={form} kind={kind} />;
    default:
      return <ValuePart path={path} form={form} kind={kind} />;
  }
};

/** A construct, which may be changed into another. */
const NodePart = ({ path, form, kind }: PartProps<Of<'node'>>): ReactElement => {
  const { onPart } = useForm();
  const constructs = unions[form.union];
  const { help = '' } = constructs[form.tag] ?? {};
  const isTest = form.union === 'pred';
  const tested = form.fields['p'];
  return (
    <div className="node">
      <div className="construct">
        <ConstructSelect path={path} form={form} onTag={(tag) => onPart(path, asConstruct(form, form.union, tag))} />
        <details className="menu">
          <summary>
            Group<span className="hidden"> this {isTest ? 'test' : 'condition'}</span>
          </summary>
          <p>
            {(['and', 'or', 'not'] as const).map((tag) => (
              <button
                key={tag}
                type="button"
                className="small"
                onClick={({ currentTarget }) => {
                  currentTarget.closest('details')?.removeAttribute('open');
                  onPart(path, wrapped(form, tag));
                }}
              >
                {constructs[tag]?.label}
              </button>
            ))}
          </p>
        </details>
      </div>
      <p className="help" id={`${idOf(path)}-construct-help`}>
        {help}
      </p>
      <TestedPath value={tested?.type === 'plain' ? String(tested.value) : undefined}>
        <FieldsPart path={path} form={form} kind={kind} />
      </TestedPath>
    </div>
  );
};

interface ConstructSelectProps {
  readonly path: Path;
  readonly form: Of<'node'>;
  readonly onTag: (tag: string) => void;
}

/** The constructs of a union, in groups. */
const ConstructSelect = ({ path, form, onTag }: ConstructSelectProps): ReactElement => {
  const groups = new Map<string, [string, Construct][]>();
  for (const entry of Object.entries(unions[form.union]))
    groups.set(entry[1].group, [...(groups.get(entry[1].group) ?? []), entry]);
  return (
    <select
      id={`${idOf(path)}-construct`}
      aria-label={form.union === 'pred' ? 'Kind of test' : 'Kind of condition'}
      aria-describedby={`${idOf(path)}-construct-help`}
      value={form.tag}
      onChange={({ target }) => onTag(target.value)}
    >
      {[...groups].map(([group, constructs]) => (
        <optgroup key={group} label={group}>
          {constructs.map(([tag, { label }]) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
};

/** The fields of a construct or of an object, and buttons for those that may be added. */
const FieldsPart = ({ path, form }: PartProps<Of<'node'> | Of<'record'>>): ReactElement => {
  const { onPart } = useForm();
  const fields = fieldsOf(form);
  const unknown = Object.keys(form.fields).filter((key) => !Object.hasOwn(fields, key));
  const missing = Object.entries(fields).filter(([key]) => !Object.hasOwn(form.fields, key));
  // The build writes these; nobody adds them by hand.
  const offered = missing.filter(([key]) => !(form.type === 'record' && ['checksum', 'canonical'].includes(key)));
  return (
    <>
      <Findings path={path} />
      {Object.entries(fields).map(([key, field]) => {
        const part = form.fields[key];
        return part === undefined ? null : <FieldPart key={key} path={[...path, key]} field={field} form={part} />;
      })}
      {unknown.map((key) => (
        <FieldPart key={key} path={[...path, key]} form={form.fields[key] as Form} field={unknownField(key)} />
      ))}
      {offered.length > 0 && (
        <p className="more">
          {offered.map(([key, { label, isOptional }]) => (
            <button
              key={key}
              type="button"
              className="small"
              onClick={() => onPart(path, isOptional === true ? withField(form, key) : withNeeded(form, key))}
            >
              <span aria-hidden="true">+ </span>
              <span className="hidden">Add </span>
              {label}
            </button>
          ))}
        </p>
      )}
    </>
  );
};

const unknownField = (key: string): Field => ({
  kind: { type: 'text' },
  label: key,
  help: 'The form does not know this field.',
  isOptional: true,
});

/** The form with a field that must be there, as a new construct has it. */
const withNeeded = (form: Of<'node'> | Of<'record'>, key: string): Form => {
  const start = form.type === 'node' ? unions[form.union][form.tag]?.start : undefined;
  const field = fieldsOf(form)[key];
  return field === undefined
    ? form
    : { ...form, fields: { ...form.fields, [key]: formOf(field.kind, start?.[key] ?? '') } };
};

interface FieldPartProps {
  readonly path: Path;
  readonly field: Field;
  readonly form: Form;
}

const FieldPart = ({ path, field, form }: FieldPartProps): ReactElement => {
  const { onPart } = useForm();
  return (
    <Labelled
      path={path}
      label={field.label}
      help={field.help}
      onRemove={field.isOptional === true ? () => onPart(path, undefined) : undefined}
      isGroup={groupKinds.includes(field.kind.type) && form.type !== 'raw'}
    >
      <FormPart path={path} form={form} kind={field.kind} />
    </Labelled>
  );
};

/** Parts in an order. Each can be moved and removed. */
const ListPart = ({ path, form }: PartProps<Of<'list'>>): ReactElement => {
  const { onPart } = useForm();
  const { of, item, start } = form.kind;
  const last = form.items.length - 1;
  return (
    <>
      <ol className="parts">
        {form.items.map((each, i) => (
          // Parts have no identity but their place.
          <li key={i}>
            <div className="place">
              <span className="soft">
                {item} {i + 1}
              </span>
              <button
                type="button"
                className="small quiet"
                aria-disabled={i === 0}
                onClick={() => i > 0 && onPart(path, moved(form, i, -1))}
              >
                Up
                <span className="hidden">
                  : {item} {i + 1}
                </span>
              </button>
              <button
                type="button"
                className="small quiet"
                aria-disabled={i === last}
                onClick={() => i < last && onPart(path, moved(form, i, 1))}
              >
                Down
                <span className="hidden">
                  : {item} {i + 1}
                </span>
              </button>
              <button type="button" className="small quiet" onClick={() => onPart([...path, i], undefined)}>
                Remove
                <span className="hidden">
                  {' '}
                  {item} {i + 1}
                </span>
              </button>
            </div>
            <FormPart path={[...path, i]} form={each} kind={of} />
          </li>
        ))}
      </ol>
      <p>
        <button
          type="button"
          className="small"
          onClick={() => onPart(path, { ...form, items: [...form.items, formOf(of, start)] })}
        >
          <span aria-hidden="true">+ </span>Add a {item}
        </button>
      </p>
    </>
  );
};

/** Parts under names of the publisher. */
const TablePart = ({ path, form }: PartProps<Of<'table'>>): ReactElement => {
  const { onPart } = useForm();
  const [name, setName] = useState('');
  const { of, item, start } = form.kind;
  const isNew = name !== '' && !Object.hasOwn(form.fields, name);
  return (
    <>
      {Object.entries(form.fields).map(([key, part]) => (
        <fieldset key={key} className="field">
          <legend>
            {key}{' '}
            <button type="button" className="small quiet" onClick={() => onPart([...path, key], undefined)}>
              Remove<span className="hidden"> {key}</span>
            </button>
          </legend>
          <FormPart path={[...path, key]} form={part} kind={of} />
        </fieldset>
      ))}
      <p className="row">
        <input
          aria-label={`Name of another ${item}`}
          placeholder={`another ${item}`}
          list="platforms"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button
          type="button"
          className="small"
          aria-disabled={!isNew}
          onClick={() => {
            if (!isNew) return;
            onPart([...path, name], formOf(of, start));
            setName('');
          }}
        >
          Add the {item}
        </button>
      </p>
    </>
  );
};

/** What the form does not know, as text. */
const RawPart = ({ path, form, kind }: PartProps<Of<'raw'>>): ReactElement => {
  const { onPart } = useForm();
  return (
    <div className="raw">
      <pre id={idOf(path)} tabIndex={0} aria-label={`Text of ${pathText(path) || 'the definition'}`}>
        {prettyJson(form.json, 50)}
      </pre>
      <p className="help">
        This is nothing that the form knows. The text beside the form can be edited.{' '}
        {kind.type === 'union' && (
          <button
            type="button"
            className="small"
            onClick={() => onPart(path, formOf(kind, Object.values(unions[kind.of])[0]?.start))}
          >
            Begin anew
          </button>
        )}
      </p>
    </div>
  );
};

const lists: Readonly<Record<Exclude<Completion, 'value'>, string>> = {
  event: 'events',
  path: 'paths',
  cohort: 'cohorts',
  platform: 'platforms',
};

/** The frequent values at a path, of all events that have it. */
const useFrequent = (completion: Completion | undefined): readonly Scalar[] => {
  const { vocabulary } = useForm();
  const path = useContext(TestedPath);
  if (completion !== 'value' || path === undefined) return [];
  const values = vocabulary.events.flatMap(({ properties }) =>
    properties.flatMap((property) => (property.path === path ? property.values : [])),
  );
  return [...new Set(values)].filter((value) => typeof value !== 'boolean');
};

/** A field of one or a few inputs. */
const ValuePart = ({ path, form, kind }: PartProps): ReactElement => {
  const { onPart } = useForm();
  const onPlain = (value: Scalar | boolean): void => onPart(path, { type: 'plain', value });
  const completion = 'completion' in kind ? kind.completion : undefined;
  const frequent = useFrequent(completion);
  const list =
    completion === undefined ? undefined : completion === 'value' ? `${idOf(path)}-values` : lists[completion];
  switch (form.type) {
    case 'operands':
      return (
        <OperandsInput
          path={path}
          value={form.operands}
          frequent={frequent}
          onValue={(operands) => onPart(path, { type: 'operands', operands })}
        />
      );
    case 'names':
      return <NamesPart path={path} form={form} kind={kind} />;
    case 'range':
      return (
        <NumbersPart
          path={path}
          numbers={form.ends}
          onNumbers={([from = 0, to = 0]) => onPart(path, { ...form, ends: [from, to] })}
        />
      );
    case 'comparison':
      return <ComparisonPart path={path} form={form} kind={kind} />;
    case 'duration':
      return <DurationPart path={path} form={form} kind={kind} />;
    case 'plain':
      if (kind.type === 'operand')
        return (
          <>
            <OperandInput path={path} value={form.value as Scalar} onValue={onPlain} list={list} />
            <datalist id={`${idOf(path)}-values`}>
              {frequent.map((each) => (
                <option key={String(each)} value={String(each)} />
              ))}
            </datalist>
          </>
        );
      if (kind.type === 'number') return <NumberInput path={path} value={form.value as Scalar} onValue={onPlain} />;
      if (kind.type === 'flag')
        return (
          <Select
            path={path}
            value={String(form.value)}
            options={{ true: 'yes', false: 'no' }}
            onValue={(value) => onPlain(value === 'true')}
          />
        );
      if (kind.type === 'choice')
        return <Select path={path} value={String(form.value)} options={kind.of} onValue={onPlain} />;
      if (kind.type === 'mark') return <p id={idOf(path)}>yes</p>;
      return <TextInput path={path} value={String(form.value)} onValue={onPlain} list={list} />;
    default:
      return <>{JSON.stringify(jsonOf(form))}</>;
  }
};

/** One event name or several, each with completions. */
const NamesPart = ({ path, form }: PartProps<Of<'names'>>): ReactElement => {
  const { onPart } = useForm();
  const { names } = form;
  const put = (next: readonly string[]): void =>
    onPart(path, {
      type: 'names',
      names: next,
      isList: next.length !== 1 || (form.isList && names.length === next.length),
    });
  return (
    <>
      {names.map((name, i) => (
        <p key={i} className="row">
          <TextInput
            path={path}
            id={i === 0 ? idOf(path) : `${idOf(path)}-${i}`}
            label={names.length > 1 ? `Event ${i + 1}` : 'Event'}
            value={name}
            list="events"
            onValue={(value) => put(names.map((each, j) => (i === j ? value : each)))}
          />
          {names.length > 1 && (
            <button type="button" className="small quiet" onClick={() => put(names.filter((_, j) => i !== j))}>
              Remove<span className="hidden"> event {i + 1}</span>
            </button>
          )}
        </p>
      ))}
      <p>
        <button type="button" className="small" onClick={() => put([...names, ''])}>
          <span aria-hidden="true">+ </span>Or another event
        </button>
      </p>
    </>
  );
};

interface NumbersPartProps {
  readonly path: Path;
  readonly numbers: readonly Scalar[];
  readonly onNumbers: (numbers: readonly Scalar[]) => void;
}

const NumbersPart = ({ path, numbers, onNumbers }: NumbersPartProps): ReactElement => (
  <span className="row">
    {numbers.map((number, i) => (
      <NumberInput
        key={i}
        path={path}
        id={i === 0 ? idOf(path) : `${idOf(path)}-${i}`}
        label={numbers.length === 1 ? 'Number' : i === 0 ? 'From' : 'To'}
        value={number}
        onValue={(value) => onNumbers(numbers.map((each, j) => (i === j ? value : each)))}
      />
    ))}
  </span>
);

const ComparisonPart = ({ path, form }: PartProps<Of<'comparison'>>): ReactElement => {
  const { onPart } = useForm();
  const [first = 0, second = first] = form.numbers;
  return (
    <span className="row">
      <Select
        path={path}
        id={`${idOf(path)}-by`}
        label="Comparison"
        value={form.by}
        options={comparisons}
        onValue={(by) =>
          onPart(path, { type: 'comparison', by, numbers: by === 'between' ? [first, second] : [first] })
        }
      />
      <NumbersPart path={path} numbers={form.numbers} onNumbers={(numbers) => onPart(path, { ...form, numbers })} />
    </span>
  );
};

const DurationPart = ({ path, form, kind }: PartProps<Of<'duration'>>): ReactElement => {
  const { onPart } = useForm();
  const options = {
    ...Object.fromEntries(units.map((unit) => [unit, unit])),
    ...(kind.type === 'duration' && kind.hasScopes && scopes),
  };
  return (
    <span className="row">
      {!Object.hasOwn(scopes, form.unit) && (
        <NumberInput
          path={path}
          label="Amount"
          value={form.amount}
          onValue={(amount) => onPart(path, { ...form, amount })}
        />
      )}
      <Select
        path={path}
        id={`${idOf(path)}-unit`}
        label="Unit"
        value={form.unit}
        options={options}
        onValue={(unit) => onPart(path, { ...form, unit, amount: numberOf(String(form.amount)) ?? 1 })}
      />
    </span>
  );
};

/** The whole form of a definition. */
export const DefinitionForm = ({ form }: { readonly form: Form }): ReactElement => {
  const { vocabulary, cohorts } = useForm();
  const paths = [...new Set(vocabulary.events.flatMap(({ properties }) => properties.map(({ path }) => path)))].sort();
  const own = ['$name', '$time', '$day', '$hour', '$session_id', '$view_id'];
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      <datalist id="events">
        {vocabulary.events.map(({ name, count }) => (
          <option key={name} value={name} label={`${name}, ${count} seen`} />
        ))}
      </datalist>
      <datalist id="paths">
        {[...paths, ...own].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <datalist id="cohorts">
        {cohorts.map(({ id, name }) => (
          <option key={id} value={id} label={name} />
        ))}
      </datalist>
      <datalist id="platforms">
        {['dfp', 'appnexus', 'web', 'facebook'].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FormPart path={[]} form={form} kind={{ type: 'record', of: 'definition' }} />
    </form>
  );
};

export const definitionKind: Kind = { type: 'record', of: 'definition' };
