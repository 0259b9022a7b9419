/**
 * The document, past elements that hide its members: an element with `name="title"` is what `document.title` answers.
 * Members are read from the document's prototypes, and methods can be called as usual. It is no node, so it cannot be
 * given to the browser in place of the document.
 */
export const unclobbered = (document: Document): Document => {
  const prototype = Object.getPrototypeOf(document) as object;
  return new Proxy(document, {
    get: (target, key) => {
      const member: unknown = Reflect.get(prototype, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
    set: (target, key, value) => Reflect.set(prototype, key, value, target),
  });
};
