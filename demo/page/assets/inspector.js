// The button of the SDK's inspector.
(function () {
  'use strict';

  document.getElementById('inspector-button').addEventListener('click', function () {
    if (window.permutive && window.permutive.inspect) {
      window.permutive.inspect();
      return;
    }
    // The SDK has not loaded yet: the page opens the inspector as soon as it has.
    var address = new URL(location.href);
    address.searchParams.set('__permutive.inspector', 'true');
    location.assign(address);
  });
})();
