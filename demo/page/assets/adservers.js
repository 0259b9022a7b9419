// Sells one place through each of two ad servers, and shows what each of them is told.
(function () {
  'use strict';

  var place = 'appnexus-place';
  var apntag = (window.apntag = window.apntag || { anq: [] });
  apntag.anq.push(function () {
    window.apntag.setPageOpts({ member: 958 });
    window.apntag.defineTag({ targetId: place, tagId: 20617, sizes: [[300, 250]] });
    window.apntag.loadTags();
    window.apntag.showTag(place);
  });

  function show(name, values) {
    var list = document.querySelector('[data-keys="' + name + '"]');
    list.replaceChildren.apply(
      list,
      Object.keys(values).map(function (key) {
        var row = document.createElement('li');
        row.textContent = key + ': ' + [].concat(values[key]).join(', ');
        return row;
      }),
    );
  }

  function googleKeys() {
    var pubads = window.googletag && window.googletag.pubads && window.googletag.pubads();
    if (!pubads || !pubads.getTargetingKeys) return {};
    return Object.fromEntries(
      pubads.getTargetingKeys().map(function (key) {
        return [key, pubads.getTargeting(key)];
      }),
    );
  }

  setInterval(function () {
    show('google', googleKeys());
    var tag = window.apntag.getTag && window.apntag.getTag(place);
    show('appnexus', (tag && tag.keywords) || {});
  }, 500);
})();
