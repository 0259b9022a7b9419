import { interval, type Observable } from 'rxjs';

import { storeKeys } from '../../src/model/storageKeys';
import type { EventStore } from '../../src/platform/platform';
import { done, newDatabase, storeOf as realStore } from '../support/database';
import { newLife, withClock } from '../support/world/clock';
import { newCookies } from '../support/world/cookies';
import { newOrigin, storeOf as fakeStore } from '../support/world/origin';

const { previousPages, thisPage, queries } = storeKeys;

/** What two users of one browser do with the store of a workspace, each with a connection of their own. */
const acts: readonly (readonly [user: 'a' | 'b', act: (store: EventStore) => Observable<unknown>])[] = [
  ['a', (store) => store.write(queries, 'of a')],
  ['a', (store) => store.replace([], [[thisPage, '["one"]']])],
  ['a', (store) => store.replace([], [[thisPage, '["two"]']])],
  ['b', (store) => store.read(queries)],
  ['b', (store) => store.records()],
  ['a', (store) => store.records()],
  ['b', (store) => store.replace(['nothing'], [[previousPages, '["lost"]']])],
  ['b', (store) => store.replace([], [[previousPages, '["three"]']])],
  ['b', (store) => store.records()],
  ['b', (store) => store.clear()],
  ['a', (store) => store.records()],
  ['a', (store) => store.read(queries)],
  ['a', (store) => store.read('nothing')],
];

/** An answer without what each store names in its own way: the number of a record. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer ?? null).replace(/\/[^/"]+\/(?=[ab]")/g, '/n/')) as unknown;

describe('The browser in virtual time', () => {
  it('stores as the encrypted store does', async () => {
    newDatabase();
    const real = { a: realStore('w', { userId: 'a' }), b: realStore('w', { userId: 'b' }) };
    const expected: unknown[] = [];
    for (const [user, act] of acts) expected.push(comparable(await done(act(real[user]))));

    const found = withClock((clock) => {
      const origin = newOrigin('www.site.example');
      return acts.map(([user, act]) => {
        let answer: unknown;
        act(fakeStore(origin, user, clock, () => undefined)).subscribe((given) => (answer = given));
        clock.run(10);
        return comparable(answer);
      });
    });
    expect(found).toEqual(expected);
  });

  it('shares cookies among the origins of a domain, and refuses those of a public suffix', () => {
    const cookies = newCookies(() => 0);
    cookies.write('www.site.example', 'a=1; domain=site.example; path=/');
    cookies.write('www.site.example', 'b=2; path=/');
    expect(cookies.write('www.site.example', 'c=3; domain=example')).toBeUndefined();
    expect(cookies.write('www.site.example', 'd=4; domain=other.example')).toBeUndefined();
    expect([cookies.of('www.site.example'), cookies.of('finance.site.example')]).toEqual([
      { a: '1', b: '2' },
      { a: '1' },
    ]);
    cookies.write('finance.site.example', 'a=; expires=Thu, 01 Jan 1970 00:00:00 GMT; domain=site.example');
    expect(cookies.of('www.site.example')).toEqual({ b: '2' });
  });

  it('runs the timers of a page while that page lives, and not while it is frozen', () => {
    const ticks = withClock((clock, browser) => {
      const page = newLife(browser);
      const worker = newLife(page);
      const heard: string[] = [];
      clock.task(page, () => interval(10).subscribe(() => heard.push(`page ${clock.now()}`)));
      clock.task(worker, () => interval(15).subscribe(() => heard.push(`worker ${clock.now()}`)));
      clock.run(20);
      page.state = 'frozen';
      clock.run(100);
      clock.thaw(page);
      clock.run(5);
      worker.state = 'ended';
      clock.run(10);
      page.state = 'ended';
      clock.run(100);
      return heard;
    });
    expect(ticks).toEqual(['page 10', 'worker 15', 'page 20', 'worker 120', 'page 120', 'page 130']);
  });
});
