import fc from 'fast-check';
import { concat, EMPTY, NEVER, type Observable, of } from 'rxjs';

import type { CachedEvent } from '../../src/engineHost/cachedEvent';
import { claiming } from '../../src/engineHost/claiming';
import { eventsAfter, mergedPoints, pageOf, readPoints, type SavedPoint } from '../../src/engineHost/savedPoints';
import { aliveLock } from '../../src/model/aliveLock';
import { eventOf, noon } from '../support/events';

/** A page of the visitor: what its engine counted since its last save, and the points that it knows. */
interface Page {
  readonly id: string;
  readonly points: Map<string, SavedPoint>;
  unsaved: readonly CachedEvent[];
}

const stepMs = 4000;
/** A page saves at the latest 10 s after an event. */
const saveAtLatestMs = 10_000;

/** The tabs of a browser over one store. */
const browser = () => {
  let now = noon;
  let count = 0;
  const pages: Page[] = [];
  const cache: CachedEvent[] = [];
  const stored = { points: JSON.stringify({}), counted: [] as string[] };

  const evaluate = (page: Page, event: CachedEvent): void => {
    page.unsaved = [...page.unsaved, event];
    page.points.set(event.page ?? '', [Date.parse(event.time), event.id]);
  };
  const save = (page: Page): void => {
    stored.counted.push(...page.unsaved.map(({ id }) => id));
    page.unsaved = [];
    const points = mergedPoints(readPoints(JSON.parse(stored.points)), page.points, now);
    stored.points = JSON.stringify(Object.fromEntries(points));
  };
  const open = (): void => {
    const page: Page = { id: `page ${(count += 1)}`, points: new Map(), unsaved: [] };
    const hold = (name: string): Observable<boolean> =>
      concat(of(!pages.some(({ id }) => aliveLock(id) === name)), NEVER);
    const missed = eventsAfter(readPoints(JSON.parse(stored.points)), cache);
    const work = (gone: ReadonlySet<string>): Observable<never> => {
      for (const event of missed) if (gone.has(pageOf(event))) evaluate(page, event);
      save(page);
      return EMPTY;
    };
    claiming(page.id, missed, { hold, now: () => now }, work).subscribe();
    pages.push(page);
  };
  const picked = (i: number): Page | undefined => pages[i % Math.max(1, pages.length)];
  return {
    stored,
    cache,
    act: ([action, i]: readonly [string, number]): void => {
      now += stepMs;
      const page = picked(i);
      if (action === 'open') {
        if (pages.length < 4) open();
      } else if (page !== undefined) {
        if (action === 'track') {
          const id = `event ${(count += 1)}`;
          cache.push({ ...eventOf(id, { time: new Date(now).toISOString() }), cohorts: [], page: page.id });
          evaluate(page, cache.at(-1)!);
        } else if (action === 'save') save(page);
        else pages.splice(pages.indexOf(page), 1);
      }
      for (const each of pages)
        if (each.unsaved.some(({ time }) => now - Date.parse(time) > saveAtLatestMs)) save(each);
    },
    end: (): void => {
      pages.splice(0);
      open();
    },
  };
};

const actions = fc.array(
  fc.tuple(fc.constantFrom('open', 'track', 'track', 'track', 'save', 'crash'), fc.nat({ max: 3 })),
  { maxLength: 80 },
);

describe('events of pages that crash, however many tabs there are', () => {
  it('are counted exactly once', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { act, end, stored, cache } = browser();
        for (const action of script) act(action);
        end();
        expect([...stored.counted].sort()).toEqual(cache.map(({ id }) => id).sort());
      }),
      { numRuns: 500 },
    );
  });

  it('need no more than six points in the store', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { act, stored } = browser();
        for (const action of script) act(action);
        expect(Object.keys(JSON.parse(stored.points) as object).length).toBeLessThanOrEqual(6);
      }),
    );
  });
});
