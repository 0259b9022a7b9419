// Tells the page that its ad was clicked, in the message that the SDK takes from frames of known slots.
(function () {
  'use strict';

  var asked = new URLSearchParams(location.search);
  // A SafeFrame has another origin than its page, which the browser names as the referrer.
  var page = document.referrer ? new URL(document.referrer).origin : location.origin;
  var number = function (name) {
    return Number(asked.get(name)) || null;
  };
  document.querySelector('a').addEventListener('click', function () {
    window.parent.postMessage(
      {
        type: 'google_ad_click',
        ad_unit_path: asked.get('ad_unit_path'),
        creative_id: number('creative_id'),
        advertiser_id: number('advertiser_id'),
        order_id: number('order_id'),
        line_item_id: number('line_item_id'),
      },
      page,
    );
  });
})();
