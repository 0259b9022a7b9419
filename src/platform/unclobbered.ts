/**
 * The document, past elements that hide its members: an element with `name="title"` is what `document.title` answers.
 * A hidden member is read from the document's prototypes. What a script of the page has put in the place of a member is
 * kept, because consent tools watch cookies that way. It is no node, so it cannot be given to the browser in place of
 * the document.
 */
export const unclobbered = (document: Document): Document => {
  const prototype = Object.getPrototypeOf(document) as object;
  const holderOf = (key: PropertyKey): object => (isHidden(document, key) ? prototype : document);
  return new Proxy({} as Document, {
    get: (_, key) => {
      const member: unknown = Reflect.get(holderOf(key), key, document);
      return typeof member === 'function' ? (member.bind(document) as unknown) : member;
    },
    set: (_, key, value) => Reflect.set(holderOf(key), key, value, document),
  });
};

/**
 * Whether an element hides a member. The document shows named elements, frames and lists of them as own properties. A
 * script puts functions, texts and getters in the place of members. Some elements count as functions.
 */
const isHidden = (document: Document, key: PropertyKey): boolean => {
  const own: unknown = Object.getOwnPropertyDescriptor(document, key)?.value;
  return typeof own === 'object' || own instanceof Element;
};
