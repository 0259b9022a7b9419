import { lastValueFrom, type Observable } from 'rxjs';

import type { CachedEvent } from '../src/engineHost/cachedEvent';
import { arranged } from '../src/engineHost/eventRecords';
import { type EventsCache, eventsCache } from '../src/engineHost/eventsCache';
import { json } from '../src/hardening/plainJson';
import { newKey, seal, unseal } from '../src/platform/encryption';
import { idbStore } from '../src/platform/idbStore';

// Runs in the browser: bundled by bench/store.ts.

const limitBytes = 2_500_000;
const eventChars = 640;
const noon = Date.UTC(2026, 0, 1, 12);

const events: readonly CachedEvent[] = Array.from({ length: limitBytes / 2 / (eventChars + 20) }, (_, i) => {
  const event = {
    id: crypto.randomUUID(),
    name: 'Pageview',
    time: new Date(noon + i).toISOString(),
    properties: { text: '' },
    cohorts: ['1'],
    session_id: 'session',
    view_id: 'view',
  };
  return {
    ...event,
    properties: { text: 'lorem ipsum '.repeat(100).slice(0, eventChars - JSON.stringify(event).length) },
  };
});
const another = (i: number): CachedEvent => ({
  ...events[0]!,
  id: crypto.randomUUID(),
  time: new Date(noon + 1_000_000 + i).toISOString(),
});

const done = <A>(action$: Observable<A>): Promise<A | undefined> => lastValueFrom(action$, { defaultValue: undefined });
const cacheOf = (limit: number): EventsCache =>
  eventsCache({
    store: idbStore('bench', { userAgent: '', report: () => undefined }),
    json,
    now: () => noon,
    report: (message) => console.error(message),
    limitBytes: limit,
    ttlDays: null,
    page: 'page',
  });

const ms = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const each = async (times: number, work: (i: number) => Promise<unknown>): Promise<number[]> => {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) all.push(await ms(() => work(i)));
  return all;
};

export type StoreTimes = Readonly<Record<'append' | 'load' | 'prune', readonly number[]>>;

const chunks = async (): Promise<StoreTimes> => {
  const filling = cacheOf(0);
  await done(filling.load());
  events.forEach(filling.add);
  await done(filling.save());
  await done(cacheOf(0).load());
  const load = await each(10, () => done(cacheOf(0).load()));
  const [cache, full] = [cacheOf(0), cacheOf(limitBytes)];
  const add = (to: EventsCache) => (i: number) => {
    to.add(another(i));
    return done(to.save());
  };
  await done(cache.load());
  const append = await each(30, add(cache));
  await done(full.load());
  return { append, load, prune: await each(30, add(full)) };
};

/** The same as one blob under one key, read and written as a whole. */
const oneBlob = async (): Promise<StoreTimes> => {
  const key = await newKey();
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('one-blob', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('blobs');
    request.onsuccess = () => resolve(request.result);
  });
  const write = async (texts: readonly string[]): Promise<void> => {
    const blob = await seal(key, `[${texts.join(',')}]`);
    await new Promise<void>((resolve) => {
      const transaction = database.transaction('blobs', 'readwrite');
      transaction.objectStore('blobs').put(blob, 'events');
      transaction.oncomplete = () => resolve();
    });
  };
  const read = async (): Promise<unknown> => {
    const blob = await new Promise((resolve) => {
      const request = database.transaction('blobs').objectStore('blobs').get('events');
      request.onsuccess = () => resolve(request.result);
    });
    return arranged([{ key: 'permutive-events-cache', text: await unseal(key, blob) }], {
      json,
      now: () => noon,
      limitBytes: 0,
      ttlDays: null,
    });
  };
  // As text, so that only the new event is serialised.
  let texts: readonly string[] = events.map((event) => JSON.stringify(event));
  const add = (dropped: number) => (i: number) => {
    texts = [...texts.slice(dropped), JSON.stringify(another(i))];
    return write(texts);
  };
  await write(texts);
  const load = await each(10, read);
  return { append: await each(30, add(0)), load, prune: await each(30, add(1)) };
};

Object.assign(window, {
  measure: async () => ({ chunks: await chunks(), oneBlob: await oneBlob(), events: events.length }),
});
