// What a reader does that the paper reports to the SDK: signing in and out, and following a product link.
(function () {
  'use strict';

  var permutive = window.permutive;
  var button = document.getElementById('account');
  if (!permutive || !button) return;

  var signedIn = /(?:^|; )lp_reader=1/.test(document.cookie);

  function show() {
    button.textContent = signedIn ? 'Sign out' : 'Sign in';
    button.dataset.signedIn = String(signedIn);
  }

  function announce() {
    if (signedIn) permutive.identify([{ tag: 'publisher_id', id: 'reader-4711', priority: 0 }]);
    permutive.track('LoginStatus', { logged_in: signedIn });
  }

  button.addEventListener('click', function () {
    signedIn = !signedIn;
    document.cookie = 'lp_reader=1; path=/; SameSite=Lax; max-age=' + (signedIn ? 2592000 : 0);
    show();
    announce();
  });
  show();
  if (signedIn) announce();

  document.querySelectorAll('[data-product]').forEach(function (link) {
    link.addEventListener('click', function () {
      permutive.track('ProductBuyClick', {
        product: link.dataset.product,
        provider: link.dataset.provider,
        dest_url: link.dataset.destination,
      });
    });
  });
})();
