import { unclobbered } from '../../hardening/unclobbered';
import type { FormContent } from '../../model/pageSignal';
import { webAddress } from '../../primitives/webAddress';
import { secretNames } from '../../privacy/personal';
import { isPersonalHint, isPersonalName, isPersonalValue } from '../../privacy/personalFields';
import { redactedUrl } from '../../privacy/redactedUrl';

/** Types of fields that identify a person or hold no text (spec S§5), or that the visitor does not see. */
const excludedTypes = [
  'email',
  'tel',
  'submit',
  'reset',
  'button',
  'file',
  'password',
  'radio',
  'checkbox',
  'fieldset',
  'hidden',
  // Mostly dates of birth.
  'date',
  'datetime-local',
  'month',
  'week',
];
/** Values of this many characters or more are dropped (spec S§5). */
const maxFormText = 120;
/** Fields of a form that are looked at, and characters that the name of one may have. */
const maxFields = 200;
const maxNameLength = 100;

/**
 * The form in the shape of its event (spec S§3). Fields are left out that are disabled, checked, hidden, without type
 * or id, too long, or that identify a person by type, name, autofill hint or value (spec S§5). The address is told
 * without its query. Throws where the element is no form.
 */
export const formContent = (form: Element): FormContent => {
  const own = unclobbered(form as HTMLFormElement);
  const [id, name] = ['id', 'name'].map((attribute) => own.getAttribute(attribute));
  // Without the attribute, a form is sent to the page's own address.
  const action = own.getAttribute('action') ? webAddress(own.action) : undefined;
  return {
    ...(id && { id }),
    ...(name && { name }),
    ...(action !== undefined && { action: redactedUrl(action.replace(/[?#].*/s, ''), secretNames) }),
    method: own.method,
    properties: [...own.elements].slice(0, maxFields).flatMap(property),
  };
};

/** A field as name and value, in a list; an empty list where it must not be tracked. Without a name, the id is used. */
const property = (element: Element): FormContent['properties'] => {
  const { type, id, name, value, checked } = element as HTMLInputElement;
  // Every input has the property `type`, so the attribute decides whether the page gave one.
  const hasType = element.localName === 'input' ? element.hasAttribute('type') : Boolean(type);
  const hint = element.getAttribute('autocomplete') ?? '';
  // The checks that take long come last.
  return !hasType ||
    !id ||
    excludedTypes.includes(type) ||
    checked ||
    element.matches(':disabled,[disabled]') ||
    typeof value !== 'string' ||
    value.length >= maxFormText ||
    [name, id, hint].some((text: unknown) => typeof text !== 'string' || text.length > maxNameLength) ||
    isPersonalName(name) ||
    isPersonalName(id) ||
    isPersonalHint(hint) ||
    isPersonalValue(value)
    ? []
    : [{ name: name || id, value }];
};
