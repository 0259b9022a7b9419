// npm run bench:soak -- [--views N] [--events N] [--pages N] [--snapshots FOLDER]
// How much memory a page view and its events leave behind, with the built bundle: in one document with many page views,
// and over many documents, to which one tab navigates. The JS heap of page and worker is read after a garbage
// collection, and what is stored is measured at the same moments. The control does the same in documents without the
// SDK. `--views 0` or `--pages 0` leaves one of the two out. `--snapshots` writes heap snapshots of the page from
// before and after, to see what has grown.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';

import { startDemo } from '../demo/servers';
import { launchChromium } from '../test/browser/support/chromium';
import { storedSizes } from '../test/browser/support/storedSizes';
import { printTable } from './table';

const { values } = parseArgs({
  options: {
    views: { type: 'string', default: '500' },
    events: { type: 'string', default: '5' },
    pages: { type: 'string', default: '40' },
    snapshots: { type: 'string' },
  },
});
const [views, events, pages] = [Number(values.views), Number(values.events), Number(values.pages)];
/** Page views of before the first reading: caches and lists with a limit are full by then. */
const warmUp = 250;
/** The engine saves its state within 10 s, and the events of a save are let go of. */
const quietMs = 13_000;
/** Documents of before the first reading: more than the sixteen whose saved points are kept. */
const warmUpDocuments = 20;
/** Page views of each of many documents. */
const viewsOfDocument = 5;
/** Bytes of the events cache, two for each character: the least that an address may set. The warm-up fills it. */
const cacheLimitBytes = 500_000;

/** Bytes of the JS heap. */
interface Heap {
  readonly page: number;
  readonly worker: number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads the heap of the page's worker. The worker speaks by messages that are wrapped in those of the page. */
const workerHeap = async (
  session: CDPSession,
): Promise<{ readonly used: () => Promise<number>; readonly snapshot: () => Promise<string> }> => {
  const chunks: string[] = [];
  let worker: string | undefined;
  let count = 0;
  const waiting = new Map<number, (result: { readonly usedSize?: number }) => void>();
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') worker = sessionId;
  });
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result, params } = JSON.parse(message) as {
      readonly id: number;
      readonly result: { readonly usedSize?: number };
      readonly params?: { readonly chunk?: string };
    };
    if (params?.chunk !== undefined) chunks.push(params.chunk);
    waiting.get(id)?.(result);
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const ask = (sessionId: string, method: string): Promise<{ readonly usedSize?: number }> =>
    new Promise((resolve, reject) => {
      const id = (count += 1);
      waiting.set(id, resolve);
      session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
    });
  return {
    used: async () => {
      if (worker === undefined) return 0;
      // What the first collection finalises, the second one frees.
      await ask(worker, 'HeapProfiler.collectGarbage');
      await ask(worker, 'HeapProfiler.collectGarbage');
      return (await ask(worker, 'Runtime.getHeapUsage')).usedSize ?? 0;
    },
    snapshot: async () => {
      if (worker !== undefined) await ask(worker, 'HeapProfiler.takeHeapSnapshot');
      return chunks.splice(0).join('');
    },
  };
};

/** Views the page so many times, with some events in each view, and a moment between views. */
const play = (page: Page, from: number, count: number): Promise<void> =>
  page.evaluate(
    async ([from, count, events]) => {
      const { permutive } = window as {
        readonly permutive?: {
          readonly addon: (name: string, options: object) => void;
          readonly track: (name: string, properties: object) => Promise<unknown>;
        };
      };
      for (let view = from; view < from + count; view += 1) {
        history.replaceState(null, '', `?view=${view}`);
        permutive?.addon('web', {
          page: {
            type: 'article',
            article: { id: String(view), section: 'Markets' },
            geo: '$geo_info',
            concepts: '$alchemy_concepts',
          },
        });
        for (let i = 0; i < events; i += 1) void permutive?.track('Soak', { view, i, text: `${view} ${i}` });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [from, count, events] as const,
  );

const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, { metricsSamplingPercentage: 0 });
// Compiled code of functions that run often would hide what objects take.
const interpreted = '--js-flags=--no-sparkplug --no-maglev --no-turbofan --no-use-ic --no-flush-bytecode';
const browser = await launchChromium([interpreted]);

const pageSnapshot = async (session: CDPSession): Promise<string> => {
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', take);
  await session.send('HeapProfiler.takeHeapSnapshot', {});
  session.off('HeapProfiler.addHeapSnapshotChunk', take);
  return chunks.join('');
};

/** A page whose heap can be read. */
interface Opened {
  /** Navigates to another document of that kind. */
  readonly next: () => Promise<void>;
  readonly heap: () => Promise<Heap>;
  /** Writes snapshots under a name that begins so, where they are wanted. */
  readonly snapshots: (name: string) => Promise<void>;
}

/** Opens a page; `isControl`: one without the SDK; `query`: of its address. */
const open = async (page: Page, isControl: boolean, query = ''): Promise<Opened> => {
  const session = await page.context().newCDPSession(page);
  const ofWorker = await workerHeap(session);
  if (isControl) await page.route('**/*-web.js', (route) => route.abort());
  const next = async (): Promise<void> => {
    await page.goto(`${demo.site}/${isControl ? 'empty' : `blank${query}`}`);
    // A string, because the names of functions that tsx adds do not exist in the page.
    await page.evaluate('window.__name = (named) => named');
    if (!isControl) await page.evaluate('new Promise((resolve) => permutive.ready(resolve, "realtime"))');
  };
  await next();
  return {
    next,
    snapshots: async (name) => {
      if (values.snapshots === undefined) return;
      writeFileSync(`${values.snapshots}/${name}-page.heapsnapshot`, await pageSnapshot(session));
      writeFileSync(`${values.snapshots}/${name}-worker.heapsnapshot`, await ofWorker.snapshot());
    },
    heap: async () => {
      await sleep(quietMs);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return { page: usedSize, worker: await ofWorker.used() };
    },
  };
};

/** Bytes that each page view leaves behind in one document. */
const inOneDocument = async (isControl: boolean): Promise<Heap> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { heap, snapshots } = await open(page, isControl);
  const name = isControl ? 'control' : 'ours';
  await play(page, 0, warmUp);
  const before = await heap();
  await snapshots(`${name}-before`);
  await play(page, warmUp, views);
  const after = await heap();
  await snapshots(`${name}-after`);
  await context.close();
  console.error(name, JSON.stringify({ before, after }));
  return { page: (after.page - before.page) / views, worker: (after.worker - before.worker) / views };
};

/** Bytes that a page view adds to the heap of a later document, and to what is stored. */
interface Visit extends Heap {
  readonly localStorage: number;
  readonly indexedDb: number;
}

/** Plays a visit of many documents in one tab. */
const overDocuments = async (isControl: boolean): Promise<Visit> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { next, heap } = await open(page, isControl, `?__permutive.eventsCacheLimitBytes=${cacheLimitBytes}`);
  const read = async (): Promise<Visit> => {
    await next();
    const found = await heap();
    const { 'local storage': local, ...databases } = await storedSizes(page);
    const indexedDb = Object.values(databases).reduce((sum, { bytes }) => sum + bytes, 0);
    return { ...found, localStorage: local?.bytes ?? 0, indexedDb };
  };
  const visit = async (documents: number): Promise<void> => {
    for (let i = 0; i < documents; i += 1) {
      await next();
      await play(page, i * viewsOfDocument, viewsOfDocument);
    }
  };
  await play(page, 0, warmUp);
  await visit(warmUpDocuments);
  const before = await read();
  await visit(pages);
  const after = await read();
  await context.close();
  console.error(isControl ? 'control' : 'ours', JSON.stringify({ before, after }));
  const each = (key: keyof Visit): number => (after[key] - before[key]) / (pages * viewsOfDocument);
  return {
    page: each('page'),
    worker: each('worker'),
    localStorage: each('localStorage'),
    indexedDb: each('indexedDb'),
  };
};

try {
  const numbers = (...bytes: readonly number[]): readonly string[] => bytes.map((each) => each.toFixed(0));
  if (views > 0) {
    const [ours, control] = [await inOneDocument(false), await inOneDocument(true)];
    printTable(
      `Bytes of heap that a page view with ${events} events leaves behind, ${views} of them in one document`,
      ['', 'page', 'worker', 'control', 'over it'],
      [['', ...numbers(ours.page, ours.worker, control.page, ours.page + ours.worker - control.page)]],
    );
  }
  if (pages > 0) {
    const [ours, control] = [await overDocuments(false), await overDocuments(true)];
    printTable(
      `Bytes that a page view with ${events} events leaves behind, over ${pages} documents with ${viewsOfDocument} each`,
      ['', 'page', 'worker', 'control', 'heap over it', 'local storage', 'IndexedDB'],
      [
        [
          '',
          ...numbers(ours.page, ours.worker, control.page, ours.page + ours.worker - control.page),
          ...numbers(ours.localStorage - control.localStorage, ours.indexedDb - control.indexedDb),
        ],
      ],
    );
  }
} finally {
  await browser.close();
  await demo.close();
}
