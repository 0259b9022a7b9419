import { maxWords, nameMatcher, wordsIn } from './nameMatcher';
import { secretNames } from './personal';

/**
 * Names of fields that identify a person or are secret, beside those of addresses: those of the specification (spec
 * S§5), and the usual ones, which are also those that browsers fill in.
 */
const personalNames = // Addresses of all kinds.
  (
    'address mailaddress youremail newemail impp tel telephone mobile cell fax telefon whatsapp msisdn ' +
    'telephonenumber phonenumber mobilenumber mobilephone cellphone homephone workphone contact addr adr street ' +
    'streetaddress housenumber ipaddress sazip zipcode postalcode postcode plz ' +
    // Names of fields with secrets.
    'passcode signature passwort passphrase pass pin pincode pswd newpassword currentpassword oldpassword ' +
    'userpassword confirmpassword passwordconfirm login totp mfa onetimecode verificationcode securitycode ' +
    'securityanswer securityquestion csrf xsrf csrftoken csrfmiddlewaretoken xsrftoken nonce captcha recaptcha ' +
    'viewstate ' +
    // Names and dates.
    'name namefirst namelast givenname familyname middlename additionalname maidenname yourname nickname forename ' +
    'fname lname vorname nachname honorific patient birth birthdate bday birthday dateofbirth sex gender ' +
    // Numbers of documents, accounts and cards.
    'nino socialsecurity nationalid taxid passport licensenumber nhsnumber bic swift accountnumber sortcode ' +
    'routingnumber bankaccount card cc ccnum cardholder nameoncard cvc csc ccv ccname ccnumber ccexp cccsc cccvc ' +
    'cccvv ' +
    // What sites in other languages call them.
    'correo courriel telefono teléfono téléphone telefone celular móvil movil handy rufnummer kennwort contraseña ' +
    'senha wachtwoord parola motdepasse nom prénom prenom apellido apellidos sobrenome cognome voornaam achternaam ' +
    'familienname geburtsdatum geburtstag straße strasse hausnummer kontonummer kreditkarte cpf aadhaar имя фамилия ' +
    'отчество фио телефон почта пароль адрес'
  ).split(' ');
/** Whether a name contains one of these names as whole words: some of its words, from the first on, end with one. */
const nameContains = (wanted: readonly string[]): ((name: string) => boolean) => {
  const isFound = nameMatcher(wanted);
  return (name) =>
    wordsIn(name).some((_, i, words) => isFound(words.slice(Math.max(0, i - maxWords), i + 1).join(' ')));
};
const hasPersonalName = nameContains([...secretNames, ...personalNames]);
/** Autofill hints that are too short to be looked for in names: a `photo` may be a topic. */
const personalHints = nameContains(['photo', 'url', 'webauthn']);

/** Whether a field of this name identifies a person or is secret. */
export const isPersonalName = (name: string): boolean => hasPersonalName(name);

/** Whether a field with this autofill hint (`autocomplete`) is filled in with something of a person's. */
export const isPersonalHint = (hint: string): boolean => hasPersonalName(hint) || personalHints(hint);

/** An email address, in clear text or URL-encoded. */
const emailInField = /[^\s@](?:@|%40)[^\s@]/i;
/** A phone number with its country or area code, or a social security number. */
const phoneNumber = /(?:\+|\(0?|\b0)\d?(?:[ ().\/-]{0,2}\d){6,}|\b\d{3}[ .-]\d{2,4}[ .-]?\d{4}\b/;
/** Ten digits and more are a phone number, a card or an account, in whatever groups they are written. */
const longNumber = /\p{Nd}(?:[ ().\/-]{0,2}\p{Nd}){9,}/u;
/** An international bank account number. */
const bankAccount = /\b[a-z]{2}\d{2}(?: ?[a-z\d]{4}){3,}/i;

/**
 * Whether a text looks as if it held an email address, a phone number, a card or an account. Wide letters, spaces that
 * do not break and long dashes count as the usual ones, because keyboards write them and texts are copied with them.
 */
export const isPersonalValue = (text: string): boolean => {
  const usual = text.normalize('NFKC').replace(/\p{Pd}/gu, '-');
  return [emailInField, phoneNumber, longNumber, bankAccount].some((pattern) => pattern.test(usual));
};
