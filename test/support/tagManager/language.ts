import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

/**
 * The syntax that sandboxed code may have: ECMAScript 5.1 with `let`, `const` and arrow functions, and without `this`,
 * `new`, `try`, `throw`, `delete` and regular expressions (developers.google.com/tag-platform/tag-manager/templates,
 * page «sandboxed-javascript», read on 2026-11-30).
 */
const syntax = new Set([
  'Program',
  'ArrayExpression',
  'ArrowFunctionExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'BlockStatement',
  'CallExpression',
  'ConditionalExpression',
  'ExpressionStatement',
  'Identifier',
  'IfStatement',
  'Literal',
  'LogicalExpression',
  'MemberExpression',
  'ObjectExpression',
  'Property',
  'ReturnStatement',
  'UnaryExpression',
  'VariableDeclaration',
  'VariableDeclarator',
]);

/** Methods of lists and texts that sandboxed code has (page «standard-library»). */
const methods = [
  ...['concat', 'every', 'filter', 'forEach', 'indexOf', 'join', 'lastIndexOf', 'map', 'pop', 'push', 'reduce'],
  ...['reduceRight', 'reverse', 'shift', 'slice', 'some', 'sort', 'splice', 'toString', 'unshift'],
  ...['charAt', 'match', 'replace', 'search', 'split', 'substring', 'toLowerCase', 'toUpperCase', 'trim'],
];

interface Named extends Node {
  readonly name: string;
}
interface Call extends Node {
  readonly callee: Node & {
    readonly computed?: boolean;
    readonly object?: Named & { readonly callee?: Named };
    readonly property?: Named;
  };
}

/**
 * What the sandbox would refuse in a code, each with its position: syntax that it does not have, names that nobody has
 * declared, and methods that its lists and texts do not have. `given`: names of outside. `others`: objects, and
 * functions that answer objects, which have methods of their own.
 */
export const refusedBy = (code: string, given: readonly string[], others: readonly string[]): readonly string[] => {
  const program = parse(code, { ecmaVersion: 2015, allowReturnOutsideFunction: true, sourceType: 'script' });
  const refused: string[] = [];
  const declared = new Set(given);
  const read: Named[] = [];
  const refuse = (what: string, { start }: Node): void => void refused.push(`${what} at ${start}`);
  full(program, (node, _, type) => {
    if (!syntax.has(node.type)) refuse(node.type, node);
    if (type === 'VariablePattern') declared.add((node as Named).name);
    if (type === 'Identifier') read.push(node as Named);
    if (type === 'UnaryExpression' && (node as Node & { operator: string }).operator === 'delete')
      refuse('delete', node);
    if (type === 'Literal' && 'regex' in node) refuse('regular expression', node);
    if (type !== 'CallExpression') return;
    const { computed, object, property } = (node as Call).callee;
    const owner = object?.name ?? object?.callee?.name ?? '';
    if (property === undefined || computed === true || others.includes(owner)) return;
    if (!methods.includes(property.name)) refuse(`method ${property.name}`, node);
  });
  for (const node of read) if (!declared.has(node.name)) refuse(`name ${node.name}`, node);
  return refused;
};
