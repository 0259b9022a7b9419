import { type CallExpression, type MemberExpression, type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

/** What has native functions as its own properties, by the name that scripts call it by. */
const owners: Readonly<Record<string, object>> = {
  ...{ Array, Object, String, Number, Math, Reflect, Promise, Date, JSON, ArrayBuffer },
  crypto: Crypto.prototype,
  ...Object.fromEntries(
    Object.entries({ Array, Object, String, Number, Date, Map, Set, WeakMap, WeakSet, Function, RegExp, Promise }).map(
      ([name, { prototype }]) => [`${name}.prototype`, prototype as object],
    ),
  ),
  'Uint8Array.prototype': Object.getPrototypeOf(Uint8Array.prototype) as object,
};
/** Native functions of the language that no object has as a method. */
const functions = [
  'encodeURIComponent',
  'decodeURIComponent',
  'escape',
  'unescape',
  'isNaN',
  'isFinite',
  'parseInt',
  'parseFloat',
];
const isFunction = (owner: object, name: string): boolean =>
  name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function';

/** All natives that a member of a script may be: what it is read from says that only where it is a global's name. */
const nativesOf = ({ object, property, computed }: MemberExpression): readonly string[] => {
  const name = computed || property.type !== 'Identifier' ? undefined : property.name;
  if (name === undefined) return [];
  const holder = object.type === 'Identifier' ? owners[object.name] : undefined;
  if (object.type === 'Identifier' && holder && isFunction(holder, name)) return [`${object.name}.${name}`];
  return Object.entries(owners).flatMap(([owner, own]) =>
    owner.endsWith('.prototype') && isFunction(own, name) ? [`${owner}.${name}`] : [],
  );
};

/** The natives that a built script calls: of each member, those that it may be. */
export const nativeCalls = (script: string): readonly (readonly string[])[] => {
  const found = new Map<string, readonly string[]>();
  full(parse(script, { ecmaVersion: 'latest' }), (node: Node) => {
    if (node.type === 'CallExpression') {
      const { callee } = node as CallExpression;
      if (callee.type === 'Identifier' && functions.includes(callee.name)) found.set(callee.name, [callee.name]);
    }
    if (node.type !== 'MemberExpression') return;
    const natives = nativesOf(node as MemberExpression);
    if (natives.length > 0) found.set(natives.join(), natives);
  });
  return [...found.values()];
};
