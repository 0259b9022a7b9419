// The reader's choice lives in a cookie of the site; the SDK is told on every page and at every change.
(function () {
  'use strict';

  var banner = document.getElementById('consent');
  var reopen = document.querySelectorAll('[data-open-consent]');
  var status = document.getElementById('consent-status');
  var required = document.body.dataset.consent === 'required';
  var returnTo = null;

  function stored() {
    var match = /(?:^|; )lp_consent=(granted|refused)/.exec(document.cookie);
    return match ? match[1] : null;
  }

  function tell(choice) {
    if (window.permutive && window.permutive.consent) {
      window.permutive.consent(choice === 'granted' ? { opt_in: true, token: 'CONSENT_CAPTURED' } : { opt_in: false });
    }
  }

  function show(byReader) {
    var choice = stored();
    status.textContent =
      choice === 'granted'
        ? 'You have agreed.'
        : choice === 'refused'
          ? 'You have refused.'
          : required
            ? 'You have not chosen yet.'
            : 'Audience measurement is on.';
    banner.hidden = false;
    document.documentElement.dataset.consentOpen = '';
    if (byReader) {
      returnTo = document.activeElement;
      banner.querySelector('h2').focus();
    }
  }

  function hide() {
    banner.hidden = true;
    delete document.documentElement.dataset.consentOpen;
    if (returnTo) returnTo.focus();
    returnTo = null;
  }

  function choose(choice) {
    document.cookie = 'lp_consent=' + choice + '; path=/; max-age=15552000; SameSite=Lax';
    tell(choice);
    hide();
  }

  banner.querySelector('[data-consent-accept]').addEventListener('click', function () {
    choose('granted');
  });
  banner.querySelector('[data-consent-refuse]').addEventListener('click', function () {
    choose('refused');
  });
  banner.addEventListener('keydown', function (event) {
    if (event.key === 'Escape' && (stored() || !required)) hide();
  });
  reopen.forEach(function (link) {
    link.addEventListener('click', function (event) {
      event.preventDefault();
      show(true);
    });
  });

  var choice = stored();
  if (choice) tell(choice);
  else if (required) show(false);
})();
