// Starts the project's partners, stands in for their functions, and lists each call as it is made.
(function () {
  'use strict';

  var list = document.getElementById('partner-calls');
  var state = document.getElementById('partner-state');
  var rows = Array.from(document.querySelectorAll('[data-partner]'));
  // The paper's own pixels start by themselves.
  var started = rows
    .map(function (row) {
      return row.dataset.partner;
    })
    .filter(function (name) {
      return name !== 'tracking_pixel';
    });

  function rowOf(matches) {
    return rows.find(matches);
  }

  function element(tag, className, text) {
    var made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function show(row, time, what) {
    var call = element('li', 'partner-call', '');
    call.dataset.call = row.dataset.partner;
    call.append(
      element('time', 'partner-time', new Date(time).toLocaleTimeString('en-GB')),
      element('strong', 'partner-who', row.dataset.name),
      element('code', 'partner-what', what),
    );
    list.prepend(call);
    var count = row.querySelector('[data-part="count"]');
    count.textContent = String(Number(count.textContent) + 1);
    row.dataset.told = 'true';
  }

  // A stand-in for a function of a partner's own code.
  function standIn(addon, name) {
    var row = rowOf(function (each) {
      return each.dataset.partner === addon;
    });
    return function () {
      var given = Array.prototype.map.call(arguments, function (argument) {
        return JSON.stringify(argument);
      });
      show(row, Date.now(), name + '(' + given.join(', ') + ')');
    };
  }

  window.fbq = standIn('facebook_v2', 'fbq');
  window.pintrk = standIn('pinterest', 'pintrk');
  window.twq = standIn('twitter_pixel', 'twq');
  window.ttq = {
    track: standIn('tiktok', 'ttq.track'),
    instance: function (id) {
      return { track: standIn('tiktok', 'ttq.instance(' + JSON.stringify(id) + ').track') };
    },
  };
  window.dataLayer = { push: standIn('data_layer', 'dataLayer.push') };
  window.gigya = { accounts: { setAccountInfo: standIn('gigya', 'gigya.accounts.setAccountInfo') } };

  function readable(url) {
    try {
      return decodeURIComponent(url);
    } catch {
      return url;
    }
  }

  // Images are seen in the browser's own record of requests. Earlier ones are in it too.
  new PerformanceObserver(function (entries) {
    entries.getEntries().forEach(function (entry) {
      var host = new URL(entry.name).host;
      var row = rowOf(function (each) {
        return each.dataset.hosts.split(' ').indexOf(host) >= 0;
      });
      if (row) show(row, performance.timeOrigin + entry.startTime, readable(entry.name));
    });
  }).observe({ type: 'resource', buffered: true });

  // A service worker answers for the partners' hosts. Where it may not run, their addresses lead nowhere.
  function answerForHosts() {
    if (!navigator.serviceWorker) return Promise.resolve();
    var url = '/assets/partnerhosts.js';
    var policy =
      window.trustedTypes &&
      window.trustedTypes.createPolicy('partner-hosts', {
        createScriptURL: function (text) {
          return text;
        },
      });
    return navigator.serviceWorker
      .register(policy ? policy.createScriptURL(url) : url, { scope: '/advertising/partners' })
      .then(function () {
        if (navigator.serviceWorker.controller) return undefined;
        return new Promise(function (resolve) {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
      })
      .catch(function () {
        /* the calls are listed all the same */
      });
  }

  answerForHosts().then(function () {
    if (!window.permutive) return;
    started.forEach(function (name) {
      window.permutive.addon(name, {});
    });
    state.textContent = 'Listening';
  });
})();
