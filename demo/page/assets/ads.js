// The ad slots of a page. They wait for this page's cohorts, but never longer than a reader would notice.
(function () {
  'use strict';

  var patienceMs = 1000;
  var places = Array.from(document.querySelectorAll('[data-ad-slot]'));
  var googletag = (window.googletag = window.googletag || {});
  googletag.cmd = googletag.cmd || [];

  function setPageTargeting(key, value) {
    var pubads = googletag.pubads();
    if (pubads.setTargeting) pubads.setTargeting(key, value);
    else googletag.setConfig({ targeting: { [key]: value } });
  }

  googletag.cmd.push(function () {
    setPageTargeting('section', document.body.dataset.section || 'front');
    setPageTargeting('page_type', document.body.dataset.type || 'page');
    googletag.pubads().enableSingleRequest();
    googletag.pubads().disableInitialLoad();
    places.forEach(function (place) {
      googletag
        .defineSlot(place.dataset.adSlot, JSON.parse(place.dataset.sizes), place.id)
        .addService(googletag.pubads())
        .setTargeting('pos', place.dataset.pos);
    });
    googletag.enableServices();
    places.forEach(function (place) {
      googletag.display(place.id);
    });

    var asked = false;
    function ask() {
      if (asked) return;
      asked = true;
      googletag.pubads().refresh();
    }
    if (window.permutive && window.permutive.ready) window.permutive.ready(ask, 'realtime');
    setTimeout(ask, patienceMs);
  });

  // Google's bidders get the secure signal beside the targeting.
  if (window.permutive && window.permutive.addon) window.permutive.addon('secure_signal');
})();
