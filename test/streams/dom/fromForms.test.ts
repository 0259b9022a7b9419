/** @jest-environment jsdom */
import * as fc from 'fast-check';
import { fromEvent } from 'rxjs';

import type { FormContent } from '../../../src/model/pageSignal';
import { fromForms } from '../../../src/streams/dom/fromForms';
import { lawOf } from '../../support/laws';

const listen = (_: string, type: string) => fromEvent(document, type, { capture: true });

/** What is told of the form in this markup when it is submitted. */
const told = (markup: string): readonly FormContent[] => {
  document.body.innerHTML = markup;
  const heard: FormContent[] = [];
  const hearing = fromForms(listen).subscribe((form) => heard.push(form));
  const form = document.querySelector('form')!;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  hearing.unsubscribe();
  return heard;
};
const propertiesOf = (fields: string): FormContent['properties'] => told(`<form>${fields}</form>`)[0]!.properties;

describe('a submitted form', () => {
  it('is told with its names, method, absolute action and fields', () => {
    const fields =
      '<input type="text" id="a" name="company" value="Acme"><select id="s" name="letter"><option value="finance" selected></select><textarea id="t" name="note">Hello</textarea>';
    expect(told(`<form id="newsletter" name="letters" action="/go" method="POST">${fields}</form>`)).toEqual([
      {
        id: 'newsletter',
        name: 'letters',
        action: 'http://localhost/go',
        method: 'post',
        properties: [
          { name: 'company', value: 'Acme' },
          { name: 'letter', value: 'finance' },
          { name: 'note', value: 'Hello' },
        ],
      },
    ]);
  });

  it('is told without what it does not have', () => {
    expect(told('<form></form>')).toEqual([{ method: 'get', properties: [] }]);
  });

  it('is told of fields outside it that belong to it', () => {
    expect(
      told('<form id="f"></form><input type="text" id="a" name="company" value="Acme" form="f">')[0]?.properties,
    ).toHaveLength(1);
  });

  it('has its own attributes, whatever its fields are called', () => {
    const names = [
      'id',
      'name',
      'action',
      'method',
      'elements',
      'getAttribute',
      'hasAttribute',
      'constructor',
      '__proto__',
    ];
    const fields = names.map((name) => `<input type="text" id="${name}" name="${name}" value="x">`).join('');
    expect(told(`<form id="real" action="/real">${fields}</form>`)).toEqual([
      {
        id: 'real',
        action: 'http://localhost/real',
        method: 'get',
        // A field called `name` asks for one.
        properties: names.filter((name) => name !== 'name').map((name) => ({ name, value: 'x' })),
      },
    ]);
  });

  it.each(['email', 'tel', 'submit', 'reset', 'button', 'file', 'password', 'radio', 'checkbox', 'EMAIL', 'Password'])(
    'leaves out fields of type %s',
    (type) => {
      expect(
        propertiesOf(`<input type="${type}" id="a" name="company" ${type === 'file' ? '' : 'value="x"'}>`),
      ).toEqual([]);
    },
  );

  it.each([
    'email',
    'e-mail',
    'password',
    'tel',
    'telephone',
    'phone',
    'name_first',
    'name_last',
    'sa_zip',
    'EMAIL',
    'user_email',
    'billing[email]',
    'phone-2',
  ])('leaves out fields named %s', (name) => {
    expect(propertiesOf(`<input type="text" id="a" name="${name}" value="x">`)).toEqual([]);
    expect(propertiesOf(`<input type="text" id="${name}" name="a" value="x">`)).toEqual([]);
    expect(propertiesOf(`<input type="text" id="a" name="b" autocomplete="${name}" value="x">`)).toEqual([]);
  });

  it.each(['hotel', 'company', 'telegram', 'zip'])('tells of fields named %s', (name) => {
    expect(propertiesOf(`<input type="text" id="a" name="${name}" value="x">`)).toEqual([{ name, value: 'x' }]);
  });

  it.each([
    ['no type', '<input id="a" name="company" value="x">'],
    ['no id', '<input type="text" name="company" value="x">'],
    ['disabled', '<input type="text" id="a" name="company" value="x" disabled>'],
    [
      'disabled with its fieldset',
      '<fieldset disabled id="f" name="f"><input type="text" id="a" name="company" value="x"></fieldset>',
    ],
    ['checked', '<input type="radio" id="a" name="company" value="x" checked>'],
    ['a fieldset', '<fieldset id="a" name="company"></fieldset>'],
    ['an object', '<object id="a" name="company"></object>'],
    ...['date', 'datetime-local', 'month', 'week'].map((type): [string, string] => [
      `of type ${type}`,
      `<input type="${type}" id="a" name="company">`,
    ]),
    ['a name of more than 100 characters', `<input type="text" id="a" name="${'x'.repeat(101)}" value="x">`],
    ['an id of more than 100 characters', `<input type="text" id="${'x'.repeat(101)}" name="a" value="x">`],
    [
      'a hint of more than 100 characters',
      `<input type="text" id="a" name="a" autocomplete="${'x'.repeat(101)}" value="x">`,
    ],
    ['120 characters', `<input type="text" id="a" name="company" value="${'x'.repeat(120)}">`],
  ])('leaves out a field that has or is %s', (_, field) => {
    expect(propertiesOf(field)).toEqual([]);
  });

  it.each([
    ...[
      'emailAddress',
      'userEmail',
      'eMail',
      'contact_mail',
      'phoneNumber',
      'mobilePhone',
      'billing[tel]',
      'cellphone',
    ],
    ...['newPassword', 'pwd', 'user.passwd', 'passcode', 'otp', 'oneTimeCode', 'one-time-code', 'verificationCode'],
    ...['csrf_token', 'csrfToken', 'authenticity_token', '__RequestVerificationToken', 'session-id', 'apiKey'],
    ...['firstName', 'first-name', 'lastname', 'fullName', 'userName', 'surname', 'fname', 'postalCode', 'zip_code'],
    ...['shippingAddress', 'address1', 'street', 'dob', 'birthDate', 'date-of-birth', 'gender', 'ssn', 'SSNNumber'],
    ...['kennwort', 'contraseña', 'motDePasse', 'correo', 'teléfono', 'prénom', 'geburtsdatum', 'securityCode'],
    ...['name', 'contact', 'patient', 'nom', 'имя', 'фамилия', 'securityAnswer', 'emailConfirm', 'customerName'],
    ...['session', 'auth', 'SAMLResponse', 'code'],
    ...['passportNo', 'iban', 'IBAN', 'sortCode', 'card-number', 'ccNumber', 'cc', 'cvv', 'cvc2', 'nameOnCard'],
  ])('leaves out a field that a person fills in or that is secret: %s', (name) => {
    expect(propertiesOf(`<input type="text" id="a" name="${name}" value="x">`)).toEqual([]);
    expect(propertiesOf(`<input type="text" id="${name}" name="a" value="x">`)).toEqual([]);
  });

  it.each(
    (
      'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password ' +
      'current-password one-time-code street-address address-line1 address-line2 address-line3 address-level1 ' +
      'address-level2 address-level3 address-level4 postal-code cc-name cc-given-name cc-additional-name ' +
      'cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type bday bday-day bday-month bday-year sex ' +
      'url photo tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix ' +
      'tel-extension email impp'
    ).split(' '),
  )('leaves out what the browser fills in of a person: %s', (token) => {
    for (const hint of [token, `section-a shipping ${token}`, `${token} webauthn`.toUpperCase()])
      expect(propertiesOf(`<input type="text" id="a" name="b" autocomplete="${hint}" value="x">`)).toEqual([]);
  });

  it.each([
    'reader@site.example',
    'Please write to reader@site.example, thank you',
    'reader%40site.example',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '378282246310005',
    '+44 20 7946 0958',
    '(555) 123-4567',
    '555-123-4567',
    '0171 1234567',
    '00491711234567',
    '078-05-1120',
    'DE89 3704 0044 0532 0130 00',
    'GB29NWBK60161331926819',
    // As other keyboards write them, and as they are copied from a page.
    'reader＠site.example',
    '０９０１２３４５６７８',
    '٠٩٠١٢٣٤٥٦٧٨',
    '4111\u00a01111\u00a01111\u00a01111',
    '090\u2011123\u20114567',
    '4111–1111–1111–1111',
  ])('leaves out a text that says who somebody is: %s', (value) => {
    expect(propertiesOf(`<input type="text" id="a" name="company" value="${value}">`)).toEqual([]);
    expect(propertiesOf(`<textarea id="a" name="note">${value}</textarea>`)).toEqual([]);
  });

  it.each(['2026-11-22', '2026-11-22 - 2026-11-29', '12', '1500000', '£1,000.50', 'gilts @ 4.5 %', 'S&P 500', '1990s'])(
    'tells of the value %s',
    (value) => {
      expect(propertiesOf(`<textarea id="a" name="note">${value.replace('&', '&amp;')}</textarea>`)).toEqual([
        { name: 'note', value },
      ]);
    },
  );

  it.each(['company', 'topic', 'mailing', 'tokenised', 'postcards', 'seminar', 'country', 'amount', 'cities'])(
    'tells of a field that is named after no person: %s',
    (name) => {
      expect(propertiesOf(`<input type="text" id="a" name="${name}" value="x">`)).toEqual([{ name, value: 'x' }]);
    },
  );

  it('looks at no more than 200 fields, and at none with a long name', () => {
    const field = (i: number) => `<input type="text" id="a${i}" name="n${i}" value="x">`;
    const many = Array.from({ length: 300 }, (_, i) => field(i)).join('');
    expect(propertiesOf(many).map(({ name }) => name)).toEqual(Array.from({ length: 200 }, (_, i) => `n${i}`));
    const matches = jest.spyOn(String.prototype, 'match');
    const long = Array.from({ length: 10 }, () => `<input type="text" id="a" name="${'xY'.repeat(5000)}" value="x">`);
    expect(propertiesOf(long.join(''))).toEqual([]);
    expect(matches).not.toHaveBeenCalled();
    matches.mockRestore();
  });

  it('leaves out hidden fields, which hold tokens and ids', () => {
    expect(propertiesOf('<input type="hidden" id="a" name="company" value="x">')).toEqual([]);
  });

  it.each([
    ['/reset?token=abc#top', 'http://localhost/reset'],
    ['https://user:secret@site.example/go?email=a', 'https://site.example/go'],
    ['/u/reader@site.example/go;jsessionid=abc', 'http://localhost/u/*/go;jsessionid=*'],
    ['mailto:reader@site.example', undefined],
    ['javascript:send("reader@site.example")', undefined],
  ])('is told without what its address carries: %s', (given, action) => {
    expect(told(`<form action='${given}'></form>`)[0]?.action).toBe(action);
  });

  it('tells of values of 119 characters, under the id where there is no name', () => {
    expect(propertiesOf(`<input type="text" id="a" value="${'x'.repeat(119)}">`)).toEqual([
      { name: 'a', value: 'x'.repeat(119) },
    ]);
  });

  it('is no matter of ours where a library dispatches `submit` elsewhere', () => {
    const heard = jest.fn();
    const hearing = fromForms(listen).subscribe({ next: heard, error: heard });
    for (const target of [document, document.body]) target.dispatchEvent(new Event('submit', { bubbles: true }));
    hearing.unsubscribe();
    expect(heard).not.toHaveBeenCalled();
  });

  const attribute = (name: string, value: string | undefined): string =>
    value === undefined ? '' : ` ${name}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`;
  const names = fc.oneof(
    fc.constantFrom(
      'email',
      'e-mail',
      'password',
      'tel',
      'telephone',
      'phone',
      'name_first',
      'name_last',
      'sa_zip',
      'Email',
      'x-phone',
      'company',
      'topic',
      'elements',
      'matches',
      'type',
    ),
    fc.string({ maxLength: 8 }),
  );
  const field = fc.record({
    tag: fc.constantFrom('input', 'input', 'input', 'textarea', 'select', 'button', 'fieldset', 'output'),
    type: fc.option(
      fc.constantFrom(
        'text',
        'email',
        'tel',
        'submit',
        'reset',
        'button',
        'file',
        'password',
        'radio',
        'checkbox',
        'hidden',
        'search',
        'number',
        'nonsense',
        'PASSWORD',
      ),
      { nil: undefined },
    ),
    id: fc.option(names, { nil: undefined }),
    name: fc.option(names, { nil: undefined }),
    disabled: fc.boolean(),
    checked: fc.boolean(),
    length: fc.constantFrom(0, 1, 119, 120, 500),
  });

  it(
    'never tells of an excluded field, in 5000 forms',
    lawOf(5000)(fc.array(field, { maxLength: 8 }), (fields) => {
      const secrets = fields.map((_, i) => `secret${i}`);
      const markup = fields.map(({ tag, type, id, name, disabled, checked, length }, i) => {
        const value = `${secrets[i]}.${'x'.repeat(length)}`;
        const given =
          attribute('type', type) +
          attribute('id', id) +
          attribute('name', name) +
          (disabled ? ' disabled' : '') +
          (checked ? ' checked' : '');
        return tag === 'input'
          ? `<input${given}${type === 'file' ? '' : attribute('value', value)}>`
          : `<${tag}${given}${attribute('value', value)}>${tag === 'select' ? `<option selected>${value}</option>` : value}</${tag}>`;
      });
      const text = JSON.stringify(told(`<form>${markup.join('')}</form>`));
      const personal = /^(email|e-mail|password|tel|telephone|phone|name_first|name_last|sa_zip|x-phone)$/i;
      const types = ['email', 'tel', 'submit', 'reset', 'button', 'file', 'password', 'radio', 'checkbox', 'hidden'];
      for (const [i, { tag, type, id, name, disabled, checked, length }] of fields.entries()) {
        const excluded =
          !id ||
          personal.test(name ?? '') ||
          personal.test(id) ||
          disabled ||
          ['button', 'fieldset'].includes(tag) ||
          length >= 120 - `secret${i}.`.length ||
          (tag === 'input' &&
            (type === undefined || types.includes(type.toLowerCase()) || (checked && /radio|checkbox/.test(type))));
        if (excluded) expect(text).not.toContain(`${secrets[i]}.`);
      }
    }),
  );
});
