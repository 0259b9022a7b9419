import type { Unclobbered } from '../hardening/unclobbered';

/** The types of events that the overlay's components have handlers for. */
const heardTypes: ReadonlySet<string> = new Set(['click', 'keydown', 'submit']);

/**
 * A new element that React can draw into, on a page whose HTML hides members of the document and of forms. React takes
 * the document from the element. The document that React gets
 *
 * - makes elements past those that hide its members,
 * - has no focused element: React would read the name of a focused element to restore the focus, which the overlay
 *   never takes by drawing,
 * - has no selection events, whose target is the page's own document.
 *
 * The element passes on to React only events that the overlay has handlers for. Other events, such as a pointer that
 * comes from the page, name elements of the page. React climbs from such an element by `parentNode`, and never ends
 * where an element with that name hides the property.
 */
export const reactPlace = (document: Unclobbered<Document>): HTMLElement => {
  const place = document.createElement('div');
  const own: ReadonlyMap<PropertyKey, unknown> = new Map<PropertyKey, unknown>([
    ['addEventListener', () => undefined],
    ['defaultView', { document: { activeElement: null, body: null }, HTMLIFrameElement }],
  ]);
  const ownerDocument = new Proxy(document, {
    get: (from, key) => (own.has(key) ? own.get(key) : (Reflect.get(from, key) as unknown)),
  });
  const addEventListener: HTMLElement['addEventListener'] = (type: string, ...rest: [never, never?]) => {
    if (heardTypes.has(type)) HTMLElement.prototype.addEventListener.call(place, type, ...rest);
  };
  return Object.defineProperties(place, {
    ownerDocument: { value: ownerDocument },
    addEventListener: { value: addEventListener },
  });
};
