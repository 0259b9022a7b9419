/** How a page tells the SDK what a visitor has answered to a consent platform. */
export interface ConsentRecipe {
  /** The platform, as publishers call it. */
  readonly title: string;
  /** Attributes that the script element needs beside it, each with a space before. */
  readonly attributes: string;
  /** The script, for the head of each page, after the tag. ECMAScript 5, because it is pasted into pages as it is. */
  readonly script: string;
}

/**
 * A script that tells the SDK of consent as soon as the platform allows what the SDK does, of a refusal once the
 * visitor has answered, and of nothing before. The script tells an answer each time that the platform does, because
 * another tab may have told the SDK something else meanwhile.
 */
const scriptOf = (body: string): string => `(function () {
  function answer(agreed) {
    permutive.consent(agreed ? { opt_in: true, token: 'CONSENT_CAPTURED' } : { opt_in: false });
  }

  ${body.trim()}
})();`;

/** The part of a script that listens to `__tcfapi`. `decide`: what is done with an answer of the visitor, in `data`. */
const tcfListener = (decide: string): string => `
  // The visitor must agree to these purposes of the TCF: store on the device (1), make a profile for ads (3), use it (4).
  var purposes = [1, 3, 4];
  var looks = 0;

  function hasPurposes(data) {
    var consents = (data.purpose && data.purpose.consents) || {};
    return purposes.every(function (purpose) {
      return consents[purpose] === true;
    });
  }
  function listen() {
    // Nothing tells when a platform comes that a tag manager loads, so the page is looked at for a minute.
    if (!window.__tcfapi) {
      if (++looks < 120) setTimeout(listen, 500);
      return;
    }
    window.__tcfapi('addEventListener', 2, function (data, success) {
      if (!success || !data) return;
      // An open banner is no answer, whatever the data say meanwhile.
      var isAnswer = data.eventStatus === 'tcloaded' || data.eventStatus === 'useractioncomplete';
      if (data.gdprApplies === false) answer(true);
      else if (isAnswer) ${decide};
    });
  }
  listen();
`;

const tcf = scriptOf(tcfListener('answer(hasPurposes(data))'));

const sourcepoint = scriptOf(`
  // The id of the vendor that your vendor list has for the SDK. Without one, the purposes of the TCF count.
  var vendor = '';
  var asked = 0;

  function decide(data) {
    if (vendor === '') return answer(hasPurposes(data));
    var question = ++asked;
    window.__tcfapi('getCustomVendorConsents', 2, function (given, success) {
      // An answer to an older question may come late.
      if (!success || !given || question !== asked) return;
      var grant = (given.grants || {})[vendor];
      answer(Boolean(grant) && grant.vendorGrant === true);
    });
  }
${tcfListener('decide(data)')}`);

const oneTrust = scriptOf(`
  // The id of the category that the visitor must agree to.
  var category = 'C0004';

  function read() {
    var oneTrust = window.OneTrust;
    // The object may be there before its functions are.
    if (!oneTrust || !oneTrust.IsAlertBoxClosed) return;
    var active = String(window.OnetrustActiveGroups).split(',');
    var isAsking = !oneTrust.IsAlertBoxClosed() && oneTrust.GetDomainData().ShowAlertNotice !== false;
    if (active.indexOf(category) >= 0) answer(true);
    else if (!isAsking) answer(false);
  }
  // Once the platform has come, and at each change, of which the platform may know a moment later.
  addEventListener('OneTrustGroupsUpdated', function () {
    setTimeout(read, 0);
  });
  addEventListener('OTConsentApplied', read);
  read();
`);

const didomi = scriptOf(`
  // The visitor must agree to these purposes, where the GDPR applies.
  var purposes = ['cookies', 'create_ads_profile', 'select_personalized_ads'];

  function isAgreed(status) {
    var given = status.purposes;
    var isRefused = function (purpose) {
      return !given[purpose] || given[purpose].enabled !== true;
    };
    // Laws of the United States have other purposes, and a visitor objects to them.
    var isOptIn = !status.regulation || status.regulation === 'gdpr';
    return !(isOptIn ? purposes : Object.keys(given)).some(isRefused);
  }
  function read() {
    var didomi = window.Didomi;
    var status = didomi.getCurrentUserStatus();
    var isFree = status.regulation ? status.regulation === 'none' : didomi.isConsentRequired() === false;
    var isAsking = didomi.shouldUserStatusBeCollected
      ? didomi.shouldUserStatusBeCollected()
      : didomi.shouldConsentBeCollected();
    if (isFree || isAgreed(status)) answer(true);
    else if (!isAsking) answer(false);
  }
  // Once the platform is ready, and at each change.
  (window.didomiOnReady = window.didomiOnReady || []).push(read);
  (window.didomiEventListeners = window.didomiEventListeners || []).push({ event: 'consent.changed', listener: read });
`);

const cookiebot = scriptOf(`
  // The category that the visitor must agree to: preferences, statistics or marketing.
  var category = 'marketing';

  function read() {
    var cookiebot = window.Cookiebot;
    if (!cookiebot || !cookiebot.consent) return;
    // This cookie says that the region of the visitor needs no consent.
    var isFree = document.cookie.split('; ').indexOf('CookieConsent=-1') >= 0;
    if (isFree || cookiebot.consent[category] === true) answer(true);
    else if (cookiebot.hasResponse === true) answer(false);
  }
  ['CookiebotOnConsentReady', 'CookiebotOnAccept', 'CookiebotOnDecline', 'load'].forEach(function (name) {
    addEventListener(name, read);
  });
  read();
`);

const usercentrics = scriptOf(`
  // The key of the category that the visitor must agree to, with all its services.
  var category = 'marketing';
  var heard = 0;

  function decide(details) {
    var consent = details.consent;
    var services = (details.categories || {})[category];
    var isAgreed = Boolean(services) && services.state === 'ALL_ACCEPTED';
    if (consent.type === 'EXPLICIT') answer(isAgreed);
    // Nobody is asked here: the platform is not needed, or its defaults count.
    else if (consent.isOutsideEu === true || consent.required === false) answer(consent.isOutsideEu === true || isAgreed);
  }
  function read() {
    var platform = window.__ucCmp;
    var question = ++heard;
    if (!platform) return;
    Promise.resolve(platform.isInitialized())
      .then(function (isReady) {
        return isReady ? platform.getConsentDetails() : undefined;
      })
      .then(function (details) {
        // The visitor may have answered meanwhile.
        if (details && question === heard) decide(details);
      })
      // A platform that cannot say it yet tells of it by its events.
      .catch(function () {});
  }
  addEventListener('UC_UI_INITIALIZED', read);
  addEventListener('UC_CONSENT', function (event) {
    heard++;
    decide(event.detail);
  });
  read();
`);

/** By the name that `init --cmp` takes. docs/consent-platforms.md names the public documents that they follow. */
export const consentRecipes: Readonly<Record<string, ConsentRecipe>> = {
  tcf: { title: 'a platform of the IAB’s TCF', attributes: '', script: tcf },
  onetrust: { title: 'OneTrust', attributes: '', script: oneTrust },
  didomi: { title: 'Didomi', attributes: '', script: didomi },
  sourcepoint: { title: 'Sourcepoint', attributes: '', script: sourcepoint },
  // The attribute keeps Cookiebot from blocking the script until the visitor has agreed.
  cookiebot: { title: 'Cookiebot', attributes: ' data-cookieconsent="ignore"', script: cookiebot },
  usercentrics: { title: 'Usercentrics', attributes: '', script: usercentrics },
};

/** What a publisher pastes into the head of each page, after the tag. */
export const consentScript = ({ attributes, script }: ConsentRecipe): string => `<script${attributes}>
${indented(script, 2)}
</script>
`;

/** A text with spaces before each line that is not empty. */
export const indented = (text: string, spaces: number): string => text.replace(/^(?=.)/gm, ' '.repeat(spaces));
