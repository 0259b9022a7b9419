/**
 * Names of parameters and fields that identify a person or are secret, as `nameMatcher` finds them. Addresses are
 * redacted by them where the setting `redactedParameters` names no others. Forms use them together with the names in
 * `personalFields.ts`, which are outside the page script.
 */
export const secretNames = (
  'token jwt password passwd pwd secret otp =code email mail emailaddress useremail phone apikey sid session ' +
  'sessionid jsessionid phpsessid accesstoken authtoken idtoken resettoken auth samlresponse ssn iban creditcard ' +
  'cardnumber cvv firstname lastname fullname surname username dob'
).split(' ');

/** An email address, in clear text or URL-encoded however often. */
export const emailAddress = /[^\s@](?:@|%(?:25)*40)[^\s@.]{1,63}\.[^\s\d.]{2}/;

/** Whether a text holds an email address or a JSON Web Token, two parts of which are objects in base 64. */
export const isSecret = (text: string): boolean =>
  emailAddress.test(text) || text.replace(/eyJ[\w-]+/g, 'eyJ').includes('eyJ.eyJ');

/** Whether a part of a path holds one of these, or random letters and digits that are longer than any usual id. */
export const isSecretPath = (text: string): boolean =>
  isSecret(text) || (text.match(/[^\W_]{33,}/g) ?? []).some((letters) => /\d/.test(letters));

/** The text with `*` for each word that holds an email address. */
export const withoutAddresses = (text: string): string =>
  text.replace(/\S+/g, (word) => (emailAddress.test(word) ? '*' : word));
