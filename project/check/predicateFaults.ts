import { operandTags } from '../../src/engine/language/extraction';
import { wordsOf } from '../../src/engine/language/text';
import { insideTests } from '../../src/engine/language/valueTests';
import { doubtful, type Said, wrong } from './finding';
import type { Node } from './nodes';

/** Operands whose hashes are those of runs, so that the longest run has to be known. */
const runs = ['words', 'urlPath'];

/** Tests of a value, or of a list of nodes, that cannot hold. */
export const predicateFaults = (node: Node): readonly Said[] => {
  // `min` counts different operands, or nodes.
  const list = ['match', ...operandTags].find((name) => Array.isArray(node[name]));
  const operands = list === undefined ? undefined : new Set(node[list] as readonly unknown[]).size;
  const { between, min, max, after, before } = node;
  const wanted = typeof min === 'number' ? min : 1;
  const [from, to] = (Array.isArray(between) ? between : [0, 0]) as readonly number[];
  return [
    ...(operands !== undefined && wanted > operands
      ? [wrong(`at least ${wanted} of ${operands} are asked for, which nobody has`, `lower min to ${operands} or less`)]
      : []),
    ...(typeof max === 'number' && wanted > max
      ? [wrong(`at least ${wanted} and at most ${max} is true for nobody`, 'let max be min or more')]
      : []),
    ...(from !== undefined && to !== undefined && from > to
      ? [wrong(`between ${from} and ${to} is true for nobody`, `write [${to}, ${from}]`)]
      : []),
    ...(typeof after === 'string' && typeof before === 'string' && Date.parse(after) >= Date.parse(before)
      ? [wrong(`after ${after} and before ${before} is true for nobody`, 'let after be the earlier date')]
      : []),
    ...(node['hashed'] === true && node['grams'] === undefined && runs.some((name) => name in node)
      ? [wrong('hashed operands lack `grams`', 'add grams, the number of words or segments of the longest operand')]
      : []),
    ...emptyOperands(node),
    ...(node['grams'] !== undefined && node['hashed'] !== true
      ? [doubtful('grams has no effect, because the operands are no hashes', 'leave it out, or write hashed: true')]
      : []),
    ...(typeof node['const'] === 'boolean'
      ? [doubtful(`the condition is always ${node['const']}`, 'leave it out, or write what the visitor must have done')]
      : []),
  ];
};

/** Operands that every text meets, or none, because nothing of them is left when they are read. */
const emptyOperands = (node: Node): readonly Said[] => {
  if (node['hashed'] === true) return [];
  const texts = (name: string): readonly string[] =>
    (Array.isArray(node[name]) ? (node[name] as readonly unknown[]) : []).filter((text) => typeof text === 'string');
  return [
    ...(Object.keys(insideTests).some((name) => texts(name).some((text) => text.trim() === ''))
      ? [wrong('an empty text is in every text', 'leave it out of the list')]
      : []),
    ...texts('words')
      .filter((text) => wordsOf(text).length === 0)
      .map((text) => wrong(`${JSON.stringify(text)} has no word, so that it is never met`, 'write letters or digits')),
    ...texts('domain')
      .filter((text) => /[/\s:@]/.test(text.trim()) || text.trim() === '')
      .map((text) => wrong(`${JSON.stringify(text)} is no host, so that it is never met`, `write ${hostIn(text)}`)),
  ];
};

const hostIn = (text: string): string =>
  URL.canParse(text) && new URL(text).hostname !== '' ? new URL(text).hostname : 'a host such as news.example';
