import { insertScript, pageOf } from './article';
import type { Candidate } from './candidates';

/** What a visit is for. */
export type Purpose = 'first' | 'later' | 'memory' | 'calls';

/** What the page tells the server: first visits tell `idle` too; `measured`, `calls` and `called` have their visits. */
export type Moment = 'begun' | 'ready' | 'settled' | 'idle' | 'measured' | 'calls' | 'called' | 'done';

/** Live bytes of the page and of its workers. */
export interface Memory {
  readonly page: number;
  readonly worker: number;
}

/**
 * A page that inserts the candidate 1.5 s after it has loaded, and tells the server where it is. 1,000 calls come 20 at
 * a time, every 50 ms, as a busy page would make them.
 */
export const quietHtml = (candidate: Candidate, src: string, purpose: Purpose): string =>
  pageOf(`
  var tell = function (moment, data) {
    return fetch('/told/' + moment, { method: 'POST', body: JSON.stringify(data === undefined ? null : data) });
  };
  var pause = function (ms) { return new Promise(function (resolve) { setTimeout(resolve, ms); }); };
  var memory = function (measured) {
    var sum = { page: 0, worker: 0 };
    measured.breakdown.forEach(function (entry) {
      var isWorker = entry.attribution.some(function (each) { return /Worker/.test(each.scope); });
      if (entry.attribution.length > 0) sum[isWorker ? 'worker' : 'page'] += entry.bytes;
    });
    return sum;
  };
  var purposes = {
    first: function () { return pause(10000).then(function () { return tell('idle'); }); },
    later: pause.bind(null, 0),
    memory: function () {
      return performance.measureUserAgentSpecificMemory()
        .then(function (measured) { return tell('measured', memory(measured)); });
    },
    calls: function () {
      var i = 0;
      var some = function () {
        for (var end = i + 20; i < end; i++) { ${candidate.track ?? ''}; }
        return i < 1000 ? pause(50).then(some) : pause(5000);
      };
      return tell('calls').then(some).then(function () { return tell('called'); });
    },
  };
  window.bench = { mark: function () {}, insert: function (src) { ${insertScript(candidate)} } };
  bench.ready = function () {
    bench.ready = function () {};
    tell('ready', performance.now() - bench.begunAt);
    pause(2500)
      .then(function () { return tell('settled'); })
      .then(purposes[${JSON.stringify(purpose)}])
      .then(function () { return tell('done'); });
  };
  addEventListener('load', function () {
    pause(1500)
      .then(function () { return tell('begun'); })
      .then(function () { bench.begunAt = performance.now(); bench.insert(${JSON.stringify(src)}); });
  });`);
