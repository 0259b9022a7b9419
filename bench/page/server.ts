import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Hono } from 'hono';

import { type Total, totalOf, weightOf } from '../../bundle/visitFiles';
import { listen } from '../../demo/api/listen';
import { insertScript, pageOf } from './article';
import type { Candidate } from './candidates';
import { type Moment, type Purpose, quietHtml } from './quietPage';

/**
 * A page without a script of its own but for the benchmark's protocol, which is the same for all candidates:
 * `bench.insert(src)`, `bench.ready()`, `bench.mark(name)`, a click handler that notes how long each click has waited,
 * and a watch that marks when a Pageview is in IndexedDB or in local storage.
 */
const html = (candidate: Candidate | undefined): string =>
  pageOf(`
  window.bench = {
    mark: function (name) { if (!bench['$' + name]) { bench['$' + name] = true; performance.mark('bench:' + name); } },
    insert: function (src) {
      performance.mark('bench:insert');${insertScript(candidate)}
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
  })();`);

export interface BenchServer {
  readonly origin: string;
  /** What was loaded of candidates since the last call. Answers to what a candidate tells its server are not in it. */
  readonly takeLoaded: () => Total;
  /** Hears from now on what a quiet page tells, in place of who has heard it so far. */
  readonly listenTo: (listener: (moment: Moment, data: unknown) => void) => void;
  readonly close: () => Promise<void>;
}

const fileOf = ({ file = 'sdk.js' }: Candidate): string => file;

/** Address of a candidate's script. */
export const scriptUrl = (origin: string, candidate: Candidate): string =>
  `${origin}/script/${encodeURIComponent(candidate.name)}/${fileOf(candidate)}`;

/** Serves each candidate's page at `/page/:name`, its script beside its chunks, and takes whatever is sent. */
export const startServer = async (candidates: readonly Candidate[]): Promise<BenchServer> => {
  const app = new Hono();
  const named = (name: string): Candidate | undefined => candidates.find((candidate) => candidate.name === name);
  let listener: (moment: Moment, data: unknown) => void = () => undefined;
  // A page may measure its memory only where it shares no process with other sites, which its files must allow.
  app.use(async (c, next) => {
    await next();
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('cross-origin-embedder-policy', 'require-corp');
    c.header('cross-origin-resource-policy', 'cross-origin');
  });
  app.get('/page/:name', (c) => c.html(html(named(c.req.param('name')))));
  app.get('/quiet/:name', (c) => {
    const found = named(c.req.param('name'));
    return found === undefined
      ? c.notFound()
      : c.html(quietHtml(found, scriptUrl('', found), c.req.query('for') as Purpose));
  });
  app.post('/told/:moment', async (c) => {
    listener(c.req.param('moment') as Moment, await c.req.json());
    return c.body(null, 204);
  });
  let sent: string[] = [];
  const send = (body: string): string => {
    sent.push(body);
    return body;
  };
  app.get('/script/:name/:file{.+}', (c) => {
    const found = named(c.req.param('name'));
    const file = c.req.param('file');
    // As CDNs do: a later visit may use the browser's code cache.
    c.header('cache-control', 'public, max-age=3600');
    c.header('content-type', 'text/javascript');
    if (found === undefined) return c.notFound();
    if (file === fileOf(found)) return c.body(send(found.script));
    const path = found.dist === undefined ? '' : resolve(found.dist, file);
    return existsSync(path) ? c.body(send(readFileSync(path, 'utf8'))) : c.notFound();
  });
  for (const { files = {} } of candidates) {
    for (const [path, body] of Object.entries(files))
      app.get(path, (c) => {
        const content = send(body.replaceAll('HOST', c.req.header('host') ?? ''));
        return c.body(content, 200, { 'content-type': 'application/json' });
      });
  }
  app.get('/empty', (c) => c.html('<!doctype html><title>Another page</title>'));
  // What servers of the peers answer.
  app.all('*', (c) => c.json({ passport: 'p', success: true }));
  const { port, close } = await listen(app, 0, '127.0.0.1');
  return {
    origin: `http://localhost:${port}`,
    takeLoaded: () => {
      const weights = sent.map((body) => weightOf(Buffer.from(body)));
      sent = [];
      return totalOf(weights);
    },
    listenTo: (next) => {
      listener = next;
    },
    close,
  };
};
