import type { FormContent } from '../../model/pageSignal';

/** Types of fields that identify a person or hold no text (spec S§5). */
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
];
/**
 * Names of personal fields (spec S§5). They match as words of a name, an id or an autofill hint, so that `user_email`
 * and `phone-2` match too.
 */
const excludedNames = /(^|[^a-z])(e-?mail|password|tel|telephone|phone|name_first|name_last|sa_zip)([^a-z]|$)/i;
/** Values of this many characters or more are dropped (spec S§5). */
const maxLength = 120;

/**
 * The form in the shape of its event (spec S§3). Fields are left out that are disabled, checked, without type or id,
 * too long, or that identify a person (spec S§5). Throws where the element is no form.
 */
export const formContent = (form: Element): FormContent => {
  // A field named `id` or `elements` hides the form's own property, so the prototype's getter is used.
  const own = <Name extends keyof HTMLFormElement>(name: Name) =>
    Reflect.get(Object.getPrototypeOf(form) as object, name, form) as HTMLFormElement[Name];
  const attribute = (name: string): string | null => own('getAttribute').call(form, name);
  const [id, name, action] = ['id', 'name', 'action'].map(attribute);
  return {
    ...(id && { id }),
    ...(name && { name }),
    ...(action && { action: own('action') }),
    method: own('method'),
    properties: Array.from(own('elements')).flatMap(property),
  };
};

/** A field as name and value, in a list; an empty list where it must not be tracked. Without a name, the id is used. */
const property = (element: Element): FormContent['properties'] => {
  const { type, id, name, value, checked } = element as HTMLInputElement;
  // Every input has the property `type`, so the attribute decides whether the page gave one.
  const hasType = element.localName === 'input' ? element.hasAttribute('type') : Boolean(type);
  const isPersonal = [name, id, element.getAttribute('autocomplete')].some((text) => excludedNames.test(text ?? ''));
  return !hasType ||
    !id ||
    isPersonal ||
    excludedTypes.includes(type) ||
    checked ||
    element.matches(':disabled,[disabled]') ||
    typeof value !== 'string' ||
    value.length >= maxLength
    ? []
    : [{ name: name || id, value }];
};
