import { type ProjectFinding, wrong } from '../check/finding';

/** What JSON cannot hold in a definition that a program has made, each at its path. */
export const jsonFaults = (definition: unknown): readonly ProjectFinding[] => [...faultsIn(definition, '', [])];

function* faultsIn(value: unknown, path: string, above: readonly object[]): Generator<ProjectFinding> {
  const said = faultOf(value, above);
  if (said !== undefined)
    yield { path, ...wrong(said, 'write a text, a number, true, false, null, a list or a table') };
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      // JSON leaves out fields that are undefined, and would write null in a list.
      if (member !== undefined || Array.isArray(value))
        yield* faultsIn(member, path === '' ? name : `${path}/${name}`, [...above, value]);
}

const faultOf = (value: unknown, above: readonly object[]): string | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is no number of JSON`;
  if (['string', 'boolean'].includes(typeof value) || value === null) return undefined;
  if (typeof value !== 'object') return `${article(typeof value)} cannot stand in a definition`;
  if (above.includes(value)) return 'the object holds itself';
  const prototype: unknown = Object.getPrototypeOf(value);
  // A module that was loaded apart may have an Object of its own.
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? undefined : `an object of the class ${value.constructor.name} cannot stand in a definition`;
};

const article = (type: string): string => (type === 'undefined' ? type : `a ${type}`);
