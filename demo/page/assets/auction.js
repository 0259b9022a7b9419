// An auction by Prebid, with bidders that answer from this site, and what each of them was told.
(function () {
  'use strict';

  var place = 'auction-place';
  var state = document.getElementById('auction-state');
  var again = document.getElementById('auction-again');
  var frame = document.getElementById('auction-ad');
  var rows = Array.from(document.querySelectorAll('[data-bidder]'));
  var codes = rows.map(function (row) {
    return row.dataset.bidder;
  });
  var names = {};
  var shown = 9;
  var pbjs = (window.pbjs = window.pbjs || {});
  pbjs.que = pbjs.que || [];

  function part(bidder, name) {
    return rows[codes.indexOf(bidder)].querySelector('[data-part="' + name + '"]');
  }

  function chip(code, className) {
    var made = document.createElement('li');
    made.className = className;
    made.textContent = names[code] || code;
    made.title = code;
    return made;
  }

  function showAnswer(bidder, answer) {
    var codes = answer.heard.standard.concat(answer.heard.custom);
    var heard = codes.slice(0, shown).map(function (code, i) {
      return chip(code, i < answer.heard.standard.length ? 'bid-chip bid-standard' : 'bid-chip');
    });
    if (codes.length > shown) heard.push(chip('and ' + (codes.length - shown) + ' more', 'bid-nothing'));
    var list = part(bidder, 'heard');
    list.replaceChildren.apply(list, heard.length > 0 ? heard : [chip('Was told nothing about you', 'bid-nothing')]);
    part(bidder, 'price').textContent = '$' + answer.bid.cpm.toFixed(2);
  }

  var adapter = {
    code: codes[0],
    supportedMediaTypes: ['banner'],
    isBidRequestValid: function () {
      return true;
    },
    buildRequests: function (requests, bidderRequest) {
      return requests.map(function (request) {
        var user = (bidderRequest.ortb2 && bidderRequest.ortb2.user) || {};
        return {
          method: 'POST',
          url: '/exchange',
          data: JSON.stringify({ bidder: request.bidder, request: request.bidId, user: user }),
          bidder: request.bidder,
        };
      });
    },
    interpretResponse: function (response, request) {
      if (!response.body || !response.body.bid) return [];
      showAnswer(request.bidder, response.body);
      return [response.body.bid];
    },
  };

  function show(bids) {
    again.disabled = false;
    rows.forEach(function (row) {
      row.classList.remove('bid-won');
    });
    var best = bids.sort(function (a, b) {
      return b.cpm - a.cpm;
    })[0];
    if (!best) {
      state.textContent = 'Nobody bid.';
      return;
    }
    rows[codes.indexOf(best.bidderCode)].classList.add('bid-won');
    state.textContent =
      part(best.bidderCode, 'price').closest('.bid').querySelector('.bid-name').textContent +
      ' bought it for $' +
      best.cpm.toFixed(2) +
      ' a thousand.';
    pbjs.renderAd(frame.contentDocument, best.adId);
  }

  function hold() {
    again.disabled = true;
    state.textContent = 'The bids are being asked for.';
    pbjs.requestBids({
      adUnitCodes: [place],
      bidsBackHandler: function (answers) {
        show(answers && answers[place] ? answers[place].bids.slice() : []);
      },
    });
  }

  if (window.permutive) window.permutive.addon('prebid');
  pbjs.que.push(function () {
    pbjs.registerBidAdapter(null, codes[0], adapter);
    codes.slice(1).forEach(function (code) {
      pbjs.aliasBidder(codes[0], code);
    });
    pbjs.setConfig({
      bidderTimeout: 2000,
      userSync: { syncEnabled: false },
      realTimeData: {
        auctionDelay: 1500,
        // The paper gives its own bidders its own cohorts too.
        dataProviders: [
          {
            name: 'permutive',
            waitForIt: true,
            params: { bidders: { northfield: { customCohorts: { source: 'ls', key: '_pdfps' } } } },
          },
        ],
      },
    });
    pbjs.addAdUnits([
      {
        code: place,
        mediaTypes: { banner: { sizes: [[300, 250]] } },
        bids: codes.map(function (bidder) {
          return { bidder: bidder, params: {} };
        }),
      },
    ]);
    again.addEventListener('click', hold);
    fetch('/cohorts.json')
      .then(function (response) {
        return response.json();
      })
      .then(function (table) {
        names = table;
      })
      .catch(function () {
        /* by number, then */
      })
      .then(hold);
  });
})();
