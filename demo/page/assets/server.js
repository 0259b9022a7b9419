// Lists what the reference API has received, and asks it again every two seconds.
(function () {
  'use strict';

  var shownEvents = 50;
  var askAgainMs = 2000;
  var page = document.getElementById('server');
  var state = page.querySelector('[data-part="state"]');
  var list = page.querySelector('[data-part="events"]');

  function ask(path) {
    return fetch(page.dataset.api + path, { credentials: 'omit' }).then(function (response) {
      return response.json();
    });
  }

  function element(tag, className, text) {
    var made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  // All but what the SDK adds to every event.
  function ownProperties(event) {
    var properties = Object.assign({}, event.properties);
    delete properties.client;
    return properties;
  }

  function row(event) {
    var made = element('li', 'partner-call', '');
    made.dataset.event = event.name;
    made.append(
      element('time', 'partner-time', new Date(event.time).toLocaleTimeString('en-GB')),
      element('strong', 'partner-who', event.name),
      element('code', 'partner-what', JSON.stringify(ownProperties(event))),
    );
    return made;
  }

  function show(good, bad) {
    state.textContent =
      good.count + ' accepted, ' + good.duplicates + ' of them sent again, ' + bad.count + ' requests refused';
    var latest = good.events.slice(-shownEvents).reverse();
    // Redrawn only when it differs, so that a reader's selection stays.
    var version = latest
      .map(function (event) {
        return event.id;
      })
      .join();
    if (list.dataset.version === version) return;
    list.dataset.version = version;
    list.replaceChildren.apply(list, latest.map(row));
  }

  function refresh() {
    Promise.all([ask('/good'), ask('/bad')])
      .then(
        function (answers) {
          show(answers[0], answers[1]);
        },
        function () {
          state.textContent = 'The reference API does not answer';
        },
      )
      .then(function () {
        setTimeout(refresh, askAgainMs);
      });
  }

  refresh();
})();
