import { orNone } from '../primitives/orNone';

declare const unclobberedMark: unique symbol;
/** A document or element whose members are those of the browser, whatever elements the page has. */
export type Unclobbered<Owner> = Owner & { readonly [unclobberedMark]: true };

/**
 * A document or form, past elements that hide its members: an element with `name="title"` is what `document.title`
 * answers, and a field with `name="id"` is what `form.id` answers. A hidden member is read from the prototypes. What a
 * script of the page has put in the place of a member is kept, because consent tools watch cookies that way, unless it
 * stands for a method or an object and is none. A member that throws when it is read is undefined. The result is no
 * node, so the browser does not take it in place of the node.
 */
export const unclobbered = <Owner extends Node>(node: Owner): Unclobbered<Owner> => {
  const prototype = Object.getPrototypeOf(node) as object;
  const holderOf = (key: PropertyKey): object => (isHidden(node, key) ? prototype : node);
  return new Proxy({} as Unclobbered<Owner>, {
    get: (_, key) => {
      const read = (holder: object): unknown => orNone(() => Reflect.get(holder, key, node) as unknown);
      let member = read(holderOf(key));
      if (!isObjectOrFunction(member) && Object.hasOwn(node, key)) {
        const native = read(prototype);
        if (isObjectOrFunction(native)) member = native;
      }
      return typeof member === 'function' ? (member.bind(node) as unknown) : member;
    },
    set: (_, key, value) => Reflect.set(holderOf(key), key, value, node),
  });
};

/** Whether a value is an object or a function, of this window or of another one. */
const isObjectOrFunction = (value: unknown): boolean => Object(value) === value;

/**
 * Whether an element hides a member. Documents and forms show named elements, frames and lists of them as own
 * properties. A script puts functions, texts and getters in the place of members. Some elements count as functions.
 */
const isHidden = (node: Node, key: PropertyKey): boolean => {
  const own: unknown = Object.getOwnPropertyDescriptor(node, key)?.value;
  return typeof own === 'object' || own instanceof Element;
};
