// Hands the page's video to the SDK, which tracks its views by itself.
(function () {
  'use strict';

  var film = document.getElementById('film');
  if (!window.permutive || !film) return;
  window.permutive.addon('ctv', {
    element: film,
    videoProperties: { title: 'Copper in eight seconds', genre: ['Markets'], content_type: ['Short'], runtime: 8 },
  });
})();
