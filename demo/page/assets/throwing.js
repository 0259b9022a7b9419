// Every callback of this page fails. The SDK has to keep the failures away from the page and from each other.
(function () {
  'use strict';

  var permutive = window.permutive;
  function fail(name) {
    return function () {
      throw new Error('page callback failed: ' + name);
    };
  }
  permutive.ready(fail('ready'));
  permutive.ready(fail('ready realtime'), 'realtime');
  permutive.user(fail('user'));
  permutive.segments(fail('segments'));
  permutive.segment(20401, fail('segment'));
  permutive.query(20401, 'result', fail('query'));
  permutive.trigger(20401, 'result', fail('trigger'));
  permutive.on(/.*/, fail('on'));
  permutive.once('Pageview', fail('once'));
  permutive.track('PageCallbackCheck', { fails: true }, { success: fail('success'), error: fail('error') });
})();
