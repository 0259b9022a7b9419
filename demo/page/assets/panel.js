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
  // What the SDK says of why the visitor is in a cohort, by code: words of a query, or of a service.
  var reasons = {};
  var queried = [];
  // What start-up has found; null before it has ended, and without consent.
  var startup = null;
  var asksStartup = false;
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

  function lastLine(text) {
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  // The words of a service begin with its name: "Advertiser segmentation: all of its groups have a count left."
  function serviceOf(text) {
    var found = /^[^:.]+(?=: )/.exec(lastLine(text));
    return found ? found[0] : 'Service';
  }

  function labelOf(provider) {
    return provider.charAt(0).toUpperCase() + provider.slice(1).replace(/_/g, ' ');
  }

  // The words of a query do not say which party a provider is; the record of start-up has the second parties.
  function partyOf(provider) {
    var data = (startup && startup.externalData) || {};
    return (data.secondParty && data.secondParty[provider] ? 'second' : 'third') + ' party: ' + labelOf(provider);
  }

  // What a query that holds has read beside the visitor's events. A clause that holds begins with a tick.
  function dataOf(text) {
    var sources = text.split('\n').flatMap(function (line) {
      var provider = /^ *✓ \d+ of the listed segments of (\S+),/.exec(line);
      if (provider) return [partyOf(provider[1])];
      if (/^ *✓ geo data matches/.test(line)) return ['geo service'];
      if (/^ *✓ classification data matches/.test(line)) return ['classification service'];
      if (/^ *✓ score .* of model /.test(line)) return ['lookalike model'];
      return [];
    });
    return sources.filter(function (source, i) {
      return sources.indexOf(source) === i;
    });
  }

  function sourceOf(code) {
    var text = reasons[code] || '';
    return queried.indexOf(code) < 0 ? serviceOf(text) : dataOf(text).join(', ');
  }

  function chip(cohort) {
    var made = element('li', 'chip' + (Number(cohort.code) >= 10000000 ? ' chip-standard' : ''));
    made.dataset.cohort = cohort.code;
    made.append(
      element('span', 'chip-name', nameOf(cohort.code) || 'Cohort'),
      element('span', 'chip-code', cohort.code),
    );
    if (cohort.reason) made.title = cohort.reason;
    if (cohort.source) {
      made.dataset.source = cohort.source;
      made.append(element('span', 'chip-source', cohort.source));
    }
    return made;
  }

  function counted(number, word) {
    return number + ' ' + word + (number === 1 ? '' : 's');
  }

  function eventNames(events) {
    var names = events.map(function (event) {
      return event.name;
    });
    var different = names.filter(function (name, i) {
      return names.indexOf(name) === i;
    });
    return (
      different
        .map(function (name) {
          var times = names.filter(function (other) {
            return other === name;
          }).length;
          return times > 1 ? name + ' × ' + times : name;
        })
        .join(', ') || 'none'
    );
  }

  // The record of start-up, as pairs of words.
  function startupPairs() {
    if (!startup) return [];
    var place = startup.geoIP || {};
    var data = startup.externalData;
    var transitions = startup.transitionsSinceInit;
    var entries = transitions.filter(function (transition) {
      return transition.entry;
    }).length;
    return [
      ['Secure signal', startup.secureSignal || 'none'],
      [
        'Cohorts',
        counted(startup.cohorts.length, 'cohort') + (startup.realtime ? ', of this page' : ', of the last page'),
      ],
      ['Transitions', entries + ' entered, ' + (transitions.length - entries) + ' left'],
      [
        'Activated',
        Object.keys(startup.activations)
          .map(function (platform) {
            return platform + ' ' + startup.activations[platform].length;
          })
          .join(', ') || 'nowhere',
      ],
      ['Place', [place.city, place.province, place.country].filter(Boolean).join(', ') || 'not known'],
      [
        'Looked up',
        Object.keys(data)
          .map(function (name) {
            var parties = /Party$/.test(name) ? Object.keys(data[name]) : [];
            return name + (parties.length > 0 ? ' (' + parties.map(labelOf).join(', ') + ')' : '');
          })
          .join(', ') || 'nothing',
      ],
      ['To publish', eventNames(startup.eventsToPublish)],
      ['At page exit', eventNames(startup.eventsToPublishOnPageUnload)],
      ['Stored state', startup.stateMigratedThisInitialisation ? 'brought up to this version' : 'of this version'],
    ];
  }

  function pairRow(pair) {
    var group = element('div', 'panel-pair');
    group.append(element('dt', '', pair[0]), element('dd', '', pair[1]));
    return group;
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
        return { code: code, reason: reasons[code], source: sourceOf(code) };
      }),
      chip,
      started ? 'In no cohort yet. Read on.' : 'The SDK has not started.',
    );
    at('startup-state').textContent = startup ? 'ended' : '–';
    fill('startup', startupPairs(), pairRow, started ? 'Start-up has not ended yet.' : 'The SDK has not started.');
    fill(
      'targeting',
      targeting.map(function (pair) {
        return [pair[0], pair[1].join(', ')];
      }),
      pairRow,
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
      // Null where the engine cannot be asked; it is asked again then.
      if (text) reasons[code] = text;
      else delete reasons[code];
      draw();
    });
  }

  function readCohorts() {
    if (!started) return;
    window.permutive.segments(function (codes) {
      cohorts = codes.map(String).sort(byNumber);
      draw();
    });
    window.permutive.segments(function (codes) {
      queried = codes.map(String);
      cohorts.forEach(function (code) {
        // The words of a service have a time in them. Those of a query are asked for until they are complete.
        if (queried.indexOf(code) < 0 || !reasons[code] || /not here yet/.test(reasons[code])) explain(code);
      });
      Object.keys(reasons).forEach(function (code) {
        if (cohorts.indexOf(code) < 0) delete reasons[code];
      });
    }, 'ql');
  }

  function readStartup() {
    if (!started || asksStartup || !window.permutive.startup) return;
    asksStartup = true;
    window.permutive.startup().then(function (found) {
      asksStartup = false;
      startup = found;
      draw();
    });
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
        readStartup();
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
      readStartup();
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
