import { Subject } from 'rxjs';

import type { Definition } from '../../src/engine/language/language';
import { endsOf, tellEnds } from '../../src/engineHost/cohortEnds';
import type { Effect, Loaded } from '../../src/engineHost/effects';
import { json } from '../../src/hardening/plainJson';
import { eventOf, noon, sourceId } from '../support/events';
import { contextOf, newEngine } from '../support/hostDeps';

const minuteMs = 60_000;
const viewed = { event: 'Pageview' };
const queries: readonly Definition[] = [
  { id: '1', q: viewed },
  { id: '2', q: { ...viewed, within: 'view' } },
  { id: '3', q: { ...viewed, within: 'session' } },
  { id: '4', q: { ...viewed, within: { minutes: 10 } } },
  { id: '5', q: { and: [{ cohort: '3' }, { cohort: '4' }] } },
  { id: '6', q: { or: [{ cohort: '2' }, { ...viewed, is: { gte: 2 } }] } },
  { id: '7', q: { not: { ...viewed, within: { minutes: 10 } } } },
  { id: '8', q: { not: { event: 'LinkClick', within: 'view' } } },
];

const visited = () => {
  const engine = newEngine(sourceId, queries);
  engine.bootstrap();
  engine.replay([]);
  const view = (ms: number): unknown => engine.process([{ ...eventOf(`view ${ms}`), time: noon + ms }], noon + ms);
  return { engine, view };
};

describe('endsOf', () => {
  it('tells how each cohort of the visitor ends by itself', () => {
    const { engine, view } = visited();
    view(0);
    const at = noon + 10 * minuteMs;
    expect(endsOf(engine)).toEqual({
      2: { scope: 'view' },
      3: { scope: 'session' },
      4: { at },
      5: { scope: 'session', at },
      6: { scope: 'view' },
    });
  });

  it('counts what holds without the view, too', () => {
    const { engine, view } = visited();
    view(0);
    view(minuteMs);
    expect(endsOf(engine)).toMatchObject({ 2: { scope: 'view' }, 4: { at: noon + 11 * minuteMs } });
    expect(endsOf(engine)).not.toHaveProperty('6');
  });

  it('knows no ends of a view that is over', () => {
    const { engine, view } = visited();
    view(0);
    engine.updateContext(contextOf('session', 'next'));
    expect(Object.keys(endsOf(engine))).toEqual(['3', '4', '5']);
  });
});

describe('tellEnds', () => {
  it('tells them at once, and again when they have changed', () => {
    const { engine, view } = visited();
    const effect$ = new Subject<Effect>();
    const told: unknown[] = [];
    const loaded = { engine } as Pick<Loaded, 'engine'>;
    tellEnds(effect$, loaded, { json }).subscribe((effect) => {
      if (effect.type === 'tell' && effect.message.type === 'ends') told.push(Object.keys(effect.message.ends).join());
    });
    const flush = (): void => effect$.next({ type: 'flushRequested' });
    flush();
    view(0);
    flush();
    flush();
    expect(told).toEqual(['', '2,3,4,5,6']);
  });
});
