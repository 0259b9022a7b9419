import { type Node, parse } from 'acorn';
import { ancestor } from 'acorn-walk';

/** How a script uses a feature of its host: of a known object, or under a name whose object the text does not tell. */
export type Use =
  | { readonly kind: 'syntax'; readonly path: string }
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'member'; readonly owner: string; readonly name: string }
  | { readonly kind: 'called'; readonly name: string };

/** The interface behind a well-known object. */
const interfaceOf: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  performance: 'Performance',
  crypto: 'Crypto',
  subtle: 'SubtleCrypto',
  history: 'History',
  indexedDB: 'IDBFactory',
  scheduler: 'Scheduler',
  locks: 'LockManager',
  storage: 'StorageManager',
};

const assignments: Readonly<Record<string, string>> = {
  '??=': 'operators.nullish_coalescing_assignment',
  '||=': 'operators.logical_or_assignment',
  '&&=': 'operators.logical_and_assignment',
  '**=': 'operators.exponentiation_assignment',
};

/** Features of a regular expression by what its text has. */
const inPatterns: readonly (readonly [RegExp, string])[] = [
  [/\(\?<[=!]/, 'regular_expressions.lookbehind_assertion'],
  [/\(\?<[^=!]/, 'regular_expressions.named_capturing_group'],
  [/\\p\{/i, 'regular_expressions.unicode_character_class_escape'],
  [/\(\?[ims-]+:/, 'regular_expressions.modifier'],
];
const flags: Readonly<Record<string, string>> = {
  d: 'builtins.RegExp.hasIndices',
  s: 'builtins.RegExp.dotAll',
  v: 'builtins.RegExp.unicodeSets',
};

/** acorn's nodes have the fields of ESTree, which its general type does not name. */
type Field = Node & Readonly<Record<string, unknown>>;
const field = (node: Field, name: string): Field | undefined => (node[name] ?? undefined) as Field | undefined;
const isA = (node: Field | undefined, type: string): boolean => node?.type === type;

const literalSyntax = (node: Field): readonly string[] => {
  const regex = node['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
  if (regex !== undefined)
    return [
      ...inPatterns.filter(([mark]) => mark.test(regex.pattern)).map(([, path]) => path),
      ...Object.keys(flags).flatMap((flag) => (regex.flags.includes(flag) ? (flags[flag] ?? []) : [])),
    ];
  if (node['bigint'] !== undefined) return ['builtins.BigInt'];
  return typeof node['value'] === 'number' && String(node['raw']).includes('_') ? ['grammar.numeric_separators'] : [];
};

const isPrivate = (node: Field): boolean => isA(field(node, 'key'), 'PrivateIdentifier');

/** Syntax newer than ES2019, by its node. */
const syntaxOf = (node: Field, isInFunction: boolean): readonly string[] => {
  switch (node.type) {
    case 'Literal':
      return literalSyntax(node);
    case 'ChainExpression':
      return ['operators.optional_chaining'];
    case 'LogicalExpression':
      return node['operator'] === '??' ? ['operators.nullish_coalescing'] : [];
    case 'AssignmentExpression':
      return [assignments[String(node['operator'])] ?? []].flat();
    case 'BinaryExpression':
      return isA(field(node, 'left'), 'PrivateIdentifier') ? ['classes.private_class_fields_in'] : [];
    case 'PropertyDefinition':
      return [isPrivate(node) ? 'classes.private_class_fields' : 'classes.public_class_fields'];
    case 'MethodDefinition':
      return isPrivate(node) ? ['classes.private_class_methods'] : [];
    case 'StaticBlock':
      return ['classes.static.initialization_blocks'];
    case 'CatchClause':
      return field(node, 'param') === undefined ? ['statements.try_catch.optional_catch_binding'] : [];
    case 'AwaitExpression':
      return isInFunction ? [] : ['operators.await.top_level'];
    case 'ForOfStatement':
      return node['await'] === true ? ['statements.for_await_of'] : [];
    case 'ImportExpression':
      return ['operators.import'];
    case 'MetaProperty':
      return field(node, 'meta')?.['name'] === 'import' ? ['operators.import_meta'] : [];
    default:
      return [];
  }
};

/** The name that a member expression reads, where the text has it. */
const memberName = (node: Field): string | undefined => {
  const property = field(node, 'property');
  if (node['computed'] !== true) return isA(property, 'Identifier') ? String(property?.['name']) : undefined;
  return isA(property, 'Literal') && typeof property?.['value'] === 'string' ? property['value'] : undefined;
};

/** The last name of an object expression: `navigator` of `page.window.navigator`. */
const lastName = (node: Field | undefined): string | undefined => {
  if (node === undefined) return undefined;
  if (isA(node, 'Identifier')) return String(node['name']);
  return isA(node, 'MemberExpression') ? memberName(node) : undefined;
};

const memberUses = (node: Field, parent: Field | undefined): readonly Use[] => {
  const name = memberName(node);
  if (name === undefined) return [];
  const holder = lastName(field(node, 'object')) ?? '';
  const owner = interfaceOf[holder] ?? (/^[A-Z][a-z]/.test(holder) ? holder : undefined);
  if (owner !== undefined) return [{ kind: 'member', owner, name }];
  const isCalled = isA(parent, 'CallExpression') && parent?.['callee'] === node;
  return [{ kind: 'global', name }, ...(isCalled ? ([{ kind: 'called', name }] as const) : [])];
};

const isFunction = (node: Node): boolean => /Function/.test(node.type);

/**
 * What a built script asks of its browser: syntax, globals, and members by name. A member that the script calls on an
 * object which its text does not tell is only known by its name.
 */
export const usedFeatures = (script: string, sourceType: 'script' | 'module'): readonly Use[] => {
  const found = new Map<string, Use>();
  const add = (use: Use): void => void found.set(JSON.stringify(use), use);
  const visit = (node: Node, ancestors: readonly Node[]): void => {
    const [each, parent] = [node as Field, ancestors.at(-2) as Field | undefined];
    for (const path of syntaxOf(each, ancestors.slice(0, -1).some(isFunction))) add({ kind: 'syntax', path });
    if (each.type === 'MemberExpression') memberUses(each, parent).forEach(add);
    if (each.type === 'Identifier') add({ kind: 'global', name: String(each['name']) });
  };
  const root = parse(script, { ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true });
  const types = [
    ...['Literal', 'ChainExpression', 'LogicalExpression', 'AssignmentExpression', 'BinaryExpression', 'Identifier'],
    ...['PropertyDefinition', 'MethodDefinition', 'StaticBlock', 'CatchClause', 'AwaitExpression', 'ForOfStatement'],
    ...['ImportExpression', 'MetaProperty', 'MemberExpression'],
  ];
  ancestor(
    root,
    Object.fromEntries(types.map((type) => [type, (node: Node, _: unknown, all: Node[]) => visit(node, all)])),
  );
  return [...found.values()];
};
