import { type Fault, isRecord } from '../../src/codecs/codecs';
import { nearestName, type ProjectFinding, wrong } from './finding';

/**
 * What a codec has found, with the name that was probably meant: of those that it expects, the one that is nearest to
 * the text at the place, to a key of the object there, or to the last name of the path.
 */
export const decodeFinding = ({ path, expected }: Fault, input: unknown): ProjectFinding => ({
  path,
  ...wrong(`expected ${expected}`, fixOf(path, expected, input)),
});

const fixOf = (path: string, expected: string, input: unknown): string => {
  const known = namesIn(expected);
  if (known.length === 0) return '';
  const names = path.split('/');
  const there = names.reduce<unknown>((value, name) => memberOf(value, name), input);
  const given = [
    ...(typeof there === 'string' ? [there] : []),
    ...(isRecord(there) ? Object.keys(there) : []),
    ...names.slice(-1),
  ].filter((name) => !known.includes(name));
  const [meant] = given.flatMap((name) => {
    const nearest = nearestName(name, known);
    return nearest === undefined ? [] : [`write ${nearest} instead of ${name}`];
  });
  return meant ?? '';
};

/** The names that an expectation lists, such as `one of a, b`. */
const namesIn = (expected: string): readonly string[] =>
  /(?:one of|with only) (.+)$/s.exec(expected)?.[1]?.split(', ') ?? [];

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
