// The SDK panel: what this page's SDK knows, read through its public methods only.
(function () {
  'use strict';

  var keepEvents = 20;
  var panel = document.getElementById('sdk-panel');
  var toggle = document.getElementById('sdk-panel-toggle');
  var apiUrl = panel.dataset.api;
  var names = {};
  var seen = [];
  var cohorts = [];
  // What the SDK says of cohorts that no query finds, by code.
  var reasons = {};
  var user = '';
  var started = false;
  var timers = [];

  var at = function (part) {
    return panel.querySelector('[data-part="' + part + '"]');
  };
  var clock = function (time) {
    var date = new Date(time);
    return isNaN(date.getTime())
      ? ''
      : date.toLocaleTimeString('en-GB') + '.' + String(date.getMilliseconds()).padStart(3, '0');
  };

  function element(tag, className, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Lists are redrawn only when they differ, so that a reader's selection and the scroll position stay.
  function fill(part, items, draw, empty) {
    var target = at(part);
    var version = JSON.stringify(items);
    if (target.dataset.version === version) return;
    target.dataset.version = version;
    target.replaceChildren.apply(
      target,
      items.length > 0 ? items.map(draw) : [element(target.tagName === 'DL' ? 'div' : 'li', 'panel-empty', empty)],
    );
  }

  function pageTargeting() {
    var googletag = window.googletag;
    if (!googletag || !googletag.apiReady) return [];
    var pubads = googletag.pubads();
    if (pubads.getTargetingKeys)
      return pubads.getTargetingKeys().map(function (key) {
        return [key, pubads.getTargeting(key)];
      });
    return Object.entries(googletag.getConfig('targeting').targeting || {}).map(function (pair) {
      return [pair[0], [].concat(pair[1])];
    });
  }

  function nameOf(code) {
    return names[String(code)] || '';
  }

  function detail(event) {
    var properties = event.properties || {};
    if (properties.segment_number !== undefined)
      return properties.segment_number + ' ' + nameOf(properties.segment_number);
    if (event.name === 'PageviewEngagement' && properties.engaged_time !== undefined)
      return properties.engaged_time + ' s';
    if (event.name === 'ThirdPartySegments')
      return 'third party: ' + properties.data_provider + ', ' + properties.segments.length + ' segments';
    if (event.name === 'AdRequest') return properties.cohorts.length + ' codes';
    if (event.name === 'PrebidBid') return properties.bidder + ' ' + properties.cpm;
    if (properties.slot && properties.slot.slot_element_id) return properties.slot.slot_element_id;
    if (properties.logged_in !== undefined) return properties.logged_in ? 'signed in' : 'signed out';
    return '';
  }

  function eventRow(event) {
    var row = element('li', 'panel-event');
    row.dataset.event = event.name;
    row.append(
      element('time', 'panel-time', clock(event.time)),
      element('span', 'panel-name', event.name),
      element('span', 'panel-detail', detail(event)),
    );
    return row;
  }

  // The words of a service begin with its name: "Advertiser segmentation: all of its groups have a count left."
  function sourceOf(reason) {
    return /^[^:.]+(?=: )/.exec(reason || '');
  }

  function chip(cohort) {
    var made = element('li', 'chip' + (Number(cohort.code) >= 10000000 ? ' chip-standard' : ''));
    made.dataset.cohort = cohort.code;
    made.append(
      element('span', 'chip-name', nameOf(cohort.code) || 'Cohort'),
      element('span', 'chip-code', cohort.code),
    );
    if (cohort.reason) {
      var source = sourceOf(cohort.reason);
      made.dataset.source = source ? source[0] : 'service';
      made.title = cohort.reason;
      made.append(element('span', 'chip-source', source ? source[0] : 'Service'));
    }
    return made;
  }

  function draw() {
    var permutive = window.permutive;
    var context = (permutive && permutive.context) || {};
    var targeting = pageTargeting();
    var live = targeting.some(function (pair) {
      return pair[0] === 'permutive' && pair[1].indexOf('rts') >= 0;
    });
    at('user').textContent = user || context.user_id || '–';
    at('session').textContent = context.session_id || '–';
    at('view').textContent = context.view_id || (permutive && permutive.config && permutive.config.viewId) || '–';
    at('count').textContent = String(cohorts.length);
    document.getElementById('sdk-panel-count').textContent = started ? String(cohorts.length) : '';
    at('rts').hidden = !live;
    at('state').textContent = started ? 'Running' : 'Waiting for the SDK';
    at('state').dataset.on = String(started);
    fill(
      'cohorts',
      cohorts.map(function (code) {
        return { code: code, reason: reasons[code] };
      }),
      chip,
      started ? 'In no cohort yet. Read on.' : 'The SDK has not started.',
    );
    fill(
      'targeting',
      targeting,
      function (pair) {
        var group = element('div', 'panel-pair');
        group.append(element('dt', '', pair[0]), element('dd', '', pair[1].join(', ')));
        return group;
      },
      'No ad server on this page.',
    );
    fill('events', seen, eventRow, 'No event yet.');
  }

  function byNumber(a, b) {
    return (Number(a) || Infinity) - (Number(b) || Infinity) || (a < b ? -1 : 1);
  }

  function explain(code) {
    if (!window.permutive.explain) return;
    window.permutive.explain(code, function (text) {
      // The last line is a service's; the ones before are of a query.
      var lines = String(text || 'A service has found it.').split('\n');
      reasons[code] = lines[lines.length - 1];
      draw();
    });
  }

  function readCohorts() {
    if (!started) return;
    window.permutive.segments(function (codes) {
      cohorts = codes.map(String).sort(byNumber);
      draw();
    });
    window.permutive.segments(function (queried) {
      var byQuery = queried.map(String);
      cohorts.forEach(function (code) {
        if (byQuery.indexOf(code) < 0) explain(code);
        else delete reasons[code];
      });
    }, 'ql');
  }

  function onEvent(event) {
    if (!event || typeof event.name !== 'string') return;
    seen = [{ name: event.name, time: event.time, properties: event.properties }].concat(seen).slice(0, keepEvents);
    if (/^Segment(Entry|Exit)$/.test(event.name)) readCohorts();
    draw();
  }

  function eventsOf(answer) {
    var list = Array.isArray(answer) ? answer : (answer && (answer.events || answer.good)) || [];
    return list
      .map(function (item) {
        return (item && item.event) || item;
      })
      .filter(function (item) {
        return item && item.name;
      });
  }

  function readApi() {
    fetch(apiUrl + '/good', { credentials: 'omit' })
      .then(function (response) {
        return response.json();
      })
      .then(function (answer) {
        var received = eventsOf(answer);
        at('api-state').textContent = received.length + ' received';
        fill('api', received.slice(-keepEvents).reverse(), eventRow, 'Nothing has arrived yet.');
      })
      .catch(function () {
        at('api-state').textContent = 'not reachable';
        fill('api', [], eventRow, 'The reference API does not answer.');
      });
  }

  function open() {
    panel.hidden = false;
    toggle.setAttribute('aria-expanded', 'true');
    document.documentElement.dataset.panelOpen = '';
    try {
      sessionStorage.setItem('lp-panel', 'open');
    } catch {
      /* the panel just opens closed next time */
    }
    draw();
    readApi();
    timers = [
      setInterval(readApi, 2000),
      setInterval(function () {
        readCohorts();
        draw();
      }, 1000),
    ];
  }

  function close() {
    panel.hidden = true;
    toggle.setAttribute('aria-expanded', 'false');
    delete document.documentElement.dataset.panelOpen;
    try {
      sessionStorage.removeItem('lp-panel');
    } catch {
      /* as above */
    }
    timers.forEach(clearInterval);
    timers = [];
  }

  toggle.addEventListener('click', function () {
    if (!panel.hidden) {
      close();
      return;
    }
    open();
    at('title').focus();
  });
  at('close').addEventListener('click', function () {
    close();
    toggle.focus();
  });
  panel.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') {
      close();
      toggle.focus();
    }
  });

  fetch('/cohorts.json')
    .then(function (response) {
      return response.json();
    })
    .then(function (table) {
      names = table;
      ['cohorts', 'events', 'api'].forEach(function (part) {
        delete at(part).dataset.version;
      });
      draw();
    })
    .catch(function () {
      /* cohorts are then shown by number */
    });

  if (window.permutive && window.permutive.ready) {
    window.permutive.ready(function () {
      started = true;
      window.permutive.user(function (id) {
        user = id;
        draw();
      });
      window.permutive.on(/.*/, onEvent).replay();
      readCohorts();
    });
    window.permutive.ready(readCohorts, 'realtime');
  }

  var wasOpen = false;
  try {
    wasOpen = sessionStorage.getItem('lp-panel') === 'open';
  } catch {
    /* closed, then */
  }
  if (wasOpen || new URLSearchParams(location.search).get('panel') === 'open') open();
  draw();
})();
