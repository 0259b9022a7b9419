// Loads the ad tag after a delay, as tag managers do. Under a policy that requires Trusted Types, only files of this
// site are loaded.
(function () {
  'use strict';

  var own = document.currentScript;
  var address = own.dataset.src;
  var policy = window.trustedTypes
    ? window.trustedTypes.createPolicy('ledger-post', {
        createScriptURL: function (url) {
          if (new URL(url, location.href).origin !== location.origin) throw new TypeError('Not a file of this site');
          return url;
        },
      })
    : null;
  setTimeout(function () {
    var script = document.createElement('script');
    script.async = true;
    script.src = policy ? policy.createScriptURL(address) : address;
    document.head.append(script);
  }, Number(own.dataset.delay));
})();
