import { nameMatcher } from './nameMatcher';

/**
 * Names of fields that identify a person or are secret: those of the specification (spec S§5), and the usual ones
 * beside them, which are also those that browsers fill in. Names of two words are listed in one word too, because many
 * pages write them so.
 */
const personalNames = [
  ...['email', 'mail', 'emailaddress', 'mailaddress', 'useremail', 'youremail', 'newemail', 'impp'],
  ...['tel', 'telephone', 'phone', 'mobile', 'cell', 'fax', 'telefon', 'whatsapp', 'msisdn', 'telephonenumber'],
  ...['phonenumber', 'mobilenumber', 'mobilephone', 'cellphone', 'homephone', 'workphone'],
  ...['password', 'passwd', 'passwort', 'passphrase', 'passcode', 'pwd', 'pass', 'pin', 'secret', 'newpassword'],
  ...['currentpassword', 'oldpassword', 'userpassword', 'confirmpassword', 'passwordconfirm', 'login'],
  ...['otp', 'totp', 'mfa', 'one time code', 'onetimecode', 'verification code', 'verificationcode'],
  ...['token', 'csrf', 'xsrf', 'csrftoken', 'csrfmiddlewaretoken', 'xsrftoken', 'accesstoken', 'jwt', 'nonce'],
  ...['captcha', 'recaptcha', 'session id', 'sessionid', 'api key', 'apikey', 'viewstate'],
  ...['name first', 'name last', 'first name', 'last name', 'full name', 'given name', 'family name', 'middle name'],
  ...['additional name', 'maiden name', 'user name', 'your name', 'nick name', 'firstname', 'lastname', 'fullname'],
  ...['givenname', 'familyname', 'middlename', 'maidenname', 'surname', 'forename', 'fname', 'lname', 'username'],
  ...['yourname', 'nickname', 'vorname', 'nachname', 'honorific'],
  ...['sa zip', 'zip code', 'zipcode', 'postal code', 'postalcode', 'post code', 'postcode', 'plz'],
  ...['address', 'addr', 'adr', 'street', 'streetaddress', 'house number', 'housenumber', 'ipaddress'],
  ...['birth', 'bday', 'birthday', 'birthdate', 'dateofbirth', 'dob', 'sex', 'gender'],
  ...['ssn', 'nino', 'social security', 'socialsecurity', 'national id', 'nationalid', 'tax id', 'taxid', 'passport'],
  ...['license number', 'licensenumber', 'nhs number', 'nhsnumber'],
  ...['iban', 'bic', 'swift', 'account number', 'accountnumber', 'sort code', 'sortcode', 'routing number'],
  ...['bank account', 'card', 'cc', 'creditcard', 'cardnumber', 'cardholder', 'nameoncard'],
  // What sites in other languages call them.
  ...['correo', 'courriel', 'telefono', 'teléfono', 'téléphone', 'telefone', 'celular', 'móvil', 'movil', 'handy'],
  ...['rufnummer', 'kennwort', 'contraseña', 'senha', 'wachtwoord', 'parola', 'mot de passe', 'motdepasse'],
  ...['prénom', 'prenom', 'apellido', 'apellidos', 'sobrenome', 'cognome', 'voornaam', 'achternaam', 'familienname'],
  ...['geburtsdatum', 'geburtstag', 'straße', 'strasse', 'hausnummer', 'kontonummer', 'kreditkarte', 'cpf', 'aadhaar'],
  ...['security code', 'securitycode', 'pincode', 'ccnum', 'pswd'],
  ...['cvc', 'cvv', 'csc', 'ccv', 'ccname', 'ccnumber', 'ccexp', 'cccsc', 'cccvc', 'cccvv'],
];
const hasPersonalName = nameMatcher(personalNames);
/** Autofill hints that are too short to be looked for in names: a `name` may be a company's, a `photo` a topic. */
const personalHints = nameMatcher(['name', 'photo', 'url', 'webauthn']);

/** Whether a field of this name identifies a person or is secret. */
export const isPersonalName = (name: string): boolean => hasPersonalName(name);

/** Whether a field with this autofill hint (`autocomplete`) is filled in with something of a person's. */
export const isPersonalHint = (hint: string): boolean => hasPersonalName(hint) || personalHints(hint);

/** An email address, in clear text or URL-encoded. */
const emailAddress = /[^\s@](?:@|%40)[^\s@]/i;
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
  return [emailAddress, phoneNumber, longNumber, bankAccount].some((pattern) => pattern.test(usual));
};
