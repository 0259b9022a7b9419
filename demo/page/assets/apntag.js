// A stand-in for the seller tag of AppNexus: its queue, its tags with their keywords, and one ad a tag.
(function () {
  'use strict';

  var tags = {};
  var listeners = [];
  var waiting = (window.apntag && window.apntag.anq) || [];

  function tell(type, ad) {
    listeners.slice().forEach(function (listener) {
      if (listener[0] === type) listener[1](ad);
    });
  }

  var apntag = (window.apntag = {
    anq: {
      push: function (command) {
        command();
      },
    },
    onEvent: function (type, listener) {
      listeners.push([type, listener]);
    },
    defineTag: function (tag) {
      tags[tag.targetId] = Object.assign({ keywords: {} }, tag);
    },
    getTag: function (id) {
      return id === undefined ? tags : tags[id];
    },
    setKeywords: function (id, keywords) {
      if (tags[id]) Object.assign(tags[id].keywords, keywords);
    },
    // The ad says what it was sold on, so that a reader sees it.
    showTag: function (id) {
      var place = document.getElementById(id);
      var sold = (tags[id].keywords.permutive || []).length;
      place.textContent =
        sold > 0 ? 'An advertisement chosen by ' + sold + ' keywords' : 'An advertisement for everybody';
      tell('adLoaded', {
        targetId: id,
        tagId: tags[id].tagId,
        adType: 'banner',
        source: 'rtb',
        creativeId: 98012,
        auctionId: String(Date.now()),
        width: 300,
        height: 250,
      });
    },
  });
  Array.prototype.forEach.call(waiting, function (command) {
    apntag.anq.push(command);
  });
})();
