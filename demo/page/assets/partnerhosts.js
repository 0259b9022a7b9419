// Answers for the hosts of the partners from this site, so that no call leaves it.
(function () {
  'use strict';

  self.addEventListener('install', function () {
    self.skipWaiting();
  });
  self.addEventListener('activate', function (event) {
    event.waitUntil(self.clients.claim());
  });
  self.addEventListener('fetch', function (event) {
    var url = new URL(event.request.url);
    if (!url.hostname.endsWith('.example')) return;
    event.respondWith(fetch('/advertising/pixel?of=' + encodeURIComponent(url.href)));
  });
})();
