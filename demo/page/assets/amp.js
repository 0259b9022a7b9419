// What the runtime of AMP does for an ad: asks the server for the visitor's cohorts before the ad is requested.
(function () {
  'use strict';

  var place = document.getElementById('amp-ad');
  var id = (/(?:^|; )permutive-id=([^;]+)/.exec(document.cookie) || [])[1];

  function show(cohorts) {
    place.textContent =
      cohorts.length > 0 ? 'An advertisement chosen by ' + cohorts.join(', ') : 'An advertisement for everybody';
  }

  if (!id) return show([]);
  fetch(place.dataset.rtc + '?i=' + encodeURIComponent(id))
    .then(function (answer) {
      return answer.json();
    })
    .then(function (answer) {
      show(answer.cohorts);
    })
    .catch(function () {
      show([]);
    });
})();
