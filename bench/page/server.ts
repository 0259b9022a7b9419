import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Hono } from 'hono';

import { listen } from '../../demo/api/listen';
import type { Candidate } from './candidates';

/**
 * A page without a script of its own but for the benchmark's protocol, which is the same for all candidates:
 * `bench.insert(src)`, `bench.ready()`, `bench.mark(name)`, a click handler that notes how long each click has waited,
 * and a watch that marks when a Pageview is in IndexedDB or in local storage.
 */
const html = (candidate: Candidate | undefined): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>An article about copper</title>
<script>
  window.bench = {
    mark: function (name) { if (!bench['$' + name]) { bench['$' + name] = true; performance.mark('bench:' + name); } },
    insert: function (src) {
      performance.mark('bench:insert');
      ${candidate?.before ?? ''}
      var script = document.createElement('script');
      script.async = true; script.src = src;
      script.onload = function () { ${candidate?.after ?? ''} };
      document.head.appendChild(script);
    },
    latencies: [],
  };
  bench.whenReady = new Promise(function (resolve) { bench.ready = function () { bench.mark('ready'); resolve(); }; });
  addEventListener('click', function (event) { bench.latencies.push(performance.now() - event.timeStamp); });
  (function () {
    var isPageview = function (text) { return !bench.$durable && typeof text === 'string' && text.indexOf('"Pageview"') > -1; };
    var durable = function () { bench.mark('durable'); };
    var put = IDBObjectStore.prototype.put, setItem = Storage.prototype.setItem;
    IDBObjectStore.prototype.put = function (value) {
      if (isPageview(value)) this.transaction.addEventListener('complete', durable);
      return put.apply(this, arguments);
    };
    Storage.prototype.setItem = function (key, value) {
      setItem.apply(this, arguments);
      if (this === localStorage && isPageview(value)) durable();
    };
  })();
</script></head>
<body><h1>An article about copper</h1>${'<p>Copper rose for a third day as buyers returned to the market after the holidays.</p>'.repeat(40)}</body></html>`;

export interface BenchServer {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Address of a candidate's script. */
export const scriptUrl = (origin: string, { name, file = 'sdk.js' }: Candidate): string =>
  `${origin}/script/${encodeURIComponent(name)}/${file}`;

/** Serves each candidate's page at `/page/:name`, its script beside its chunks, and takes whatever is sent. */
export const startServer = async (candidates: readonly Candidate[]): Promise<BenchServer> => {
  const app = new Hono();
  const named = (name: string): Candidate | undefined => candidates.find((candidate) => candidate.name === name);
  app.get('/page/:name', (c) => c.html(html(named(c.req.param('name')))));
  app.get('/script/:name/:file', (c) => {
    const found = named(c.req.param('name'));
    const file = c.req.param('file');
    // As CDNs do: a later visit may use the browser's code cache.
    c.header('cache-control', 'public, max-age=3600');
    c.header('content-type', 'text/javascript');
    if (found?.dist === undefined) return c.body(found?.script ?? '');
    const path = resolve(found.dist, basename(file));
    return existsSync(path) ? c.body(readFileSync(path, 'utf8')) : c.notFound();
  });
  for (const { files = {} } of candidates) {
    for (const [path, body] of Object.entries(files))
      app.get(path, (c) =>
        c.body(body.replaceAll('HOST', c.req.header('host') ?? ''), 200, { 'content-type': 'application/json' }),
      );
  }
  app.get('/empty', (c) => c.html('<!doctype html><title>Another page</title>'));
  // What servers of the peers answer.
  app.all('*', (c) => c.json({ passport: 'p', success: true }));
  const { port, close } = await listen(app, 0, '127.0.0.1');
  return { origin: `http://localhost:${port}`, close };
};
