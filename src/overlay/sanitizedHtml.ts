import createSanitizer from 'dompurify';

import { ownGlobal } from '../hardening/ownGlobal';
import { localCss } from './localCss';

/**
 * Addresses that html may hold: relative ones, http and https. Data: urls of images are allowed by the sanitiser
 * itself.
 */
const safeAddress = /^(?:https?:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i;

/** The part of the browser's `trustedTypes` that is used here. */
interface TrustedTypePolicies {
  readonly createPolicy: (name: string, rules: object) => object;
}
// eslint-disable-next-line no-restricted-globals -- a chunk of its own, whose parser is a global too
const trustedTypes = ownGlobal(globalThis, 'trustedTypes') as TrustedTypePolicies | undefined;

/**
 * A policy that lets the sanitiser parse text on pages that require Trusted Types. The policy does not clean anything,
 * because the sanitiser parses in a document of its own, in which nothing runs. Undefined where the browser has no
 * Trusted Types.
 */
const overlayPolicy = trustedTypes?.createPolicy('permutive-overlay', {
  createHTML: (html: string) => html,
  createScriptURL: () => '',
});

/** Works in an empty document of its own, in which nothing hides members of the document or of forms. */
const sanitizer = createSanitizer({
  document: new Document().implementation.createHTMLDocument(''),
  DocumentFragment,
  DOMParser,
  Element,
  HTMLFormElement,
  HTMLTemplateElement,
  NamedNodeMap,
  Node,
  NodeFilter,
});

/** Attributes whose value is a style, or a part of one. */
const styleAttribute = /^(?:style|fill|stroke|filter|mask|clip-path|cursor|marker(?:-\w+)?)$/;

/** Attributes and elements that load a picture of which the html shows no picture element. */
const hiddenPictures = { FORBID_ATTR: ['background'], FORBID_TAGS: ['feimage'] };

/** The names of style elements and attributes of the present html from which `localCss` has removed something. */
let changedStyles: string[] = [];

/** The style without what would load; its name is noted where that was something. */
const localStyle = (css: string, name: string): string => {
  const local = localCss(css);
  if (local !== css) changedStyles.push(name);
  return local;
};

// An overlay's styles must not tell other hosts of the visitor. The pictures of an overlay are elements, which the
// publisher sees.
sanitizer.addHook('uponSanitizeElement', (node, { tagName }) => {
  if (tagName === 'style') node.textContent = localStyle(node.textContent ?? '', tagName);
});
sanitizer.addHook('uponSanitizeAttribute', (element, attribute) => {
  const { attrName, attrValue } = attribute;
  if (styleAttribute.test(attrName)) attribute.attrValue = localStyle(attrValue, attributeName(attrName, element));
});

/** Such as `p[onclick]`. */
const attributeName = (name: string, element: Node): string => `${elementName(element)}[${name}]`;

/** The name of a node, in small letters, past a field of a form that hides it. */
const elementName = (node: Node): string => Reflect.get(Node.prototype, 'nodeName', node).toLowerCase();

/** What the sanitiser notes of a removal: an element or another node, or an attribute and its element. */
type Removal = (typeof sanitizer.removed)[number];

/**
 * The name of what was removed, in a list; an empty list for what nobody misses: comments, and the element with which
 * the sanitiser itself begins.
 */
const namesOf = (removal: Removal): readonly string[] => {
  if ('attribute' in removal)
    return removal.attribute === null ? [] : [attributeName(removal.attribute.name, removal.from)];
  const name = elementName(removal.element);
  return name.startsWith('#') || name === 'remove' ? [] : [name];
};

/** Html of which nothing can act, and what had to be removed for that. */
export interface SanitizedHtml {
  readonly fragment: DocumentFragment;
  /** Names of elements such as `script` and of attributes such as `p[onclick]`, each once. */
  readonly removed: readonly string[];
}

/**
 * The publisher's html as a fragment, without anything that could act: no script, handler or frame, no link that is not
 * http(s), and no style that loads from another host. `target` is kept, so that links may open another tab.
 */
export const sanitizedHtml = (html: string): SanitizedHtml => {
  changedStyles = [];
  const fragment = sanitizer.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_URI_REGEXP: safeAddress,
    ADD_ATTR: ['target'],
    ...hiddenPictures,
    // Style rules at the start of the text are kept: they end at the overlay's shadow root.
    FORCE_BODY: true,
    ...(overlayPolicy !== undefined && { TRUSTED_TYPES_POLICY: overlayPolicy as never }),
  });
  return { fragment, removed: [...new Set([...sanitizer.removed.flatMap(namesOf), ...changedStyles])] };
};
