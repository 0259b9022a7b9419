import { isLeft } from 'fp-ts/Either';
import { Hono } from 'hono';

import { decode } from '../../src/codecs/decode';
import { json } from '../../src/hardening/plainJson';
import { errorBody } from './errorBody';
import type { EventLog } from './eventLog';
import { type Faults, FaultSwitches } from './faults';
import type { ApiEnv } from './faulty';
import type { Journal, LoggedRequest, Rejected } from './journal';
import { ownUse } from './ownUse';

export interface ControlDeps {
  readonly events: EventLog;
  readonly requests: Journal<LoggedRequest>;
  readonly rejected: Journal<Rejected>;
  readonly faults: Faults;
  /** How many requests have come in whose answers are not there yet. Those that hang get none. */
  readonly underWay: () => number;
  /** Empties everything, the faults too. */
  readonly clear: () => void;
  readonly overview: string;
}

/** What tests and people ask the API about itself. None of it is logged or made to fail. Only this machine may ask. */
export const controls = (deps: ControlDeps): Hono<ApiEnv> => {
  const { events, requests, rejected, faults, underWay, clear, overview } = deps;
  const app = new Hono<ApiEnv>();
  for (const path of ['/', '/good', '/bad', '/requests', '/reset', '/faults']) app.use(path, ownUse);
  app.get('/', (c) => c.html(overview));
  app.get('/good', (c) => {
    const { name, user_id, since, all } = c.req.query();
    const found = (all === 'true' ? events.received() : events.all()).filter(
      (event) => (name === undefined || event.name === name) && (user_id === undefined || event.user_id === user_id),
    );
    return c.json({ count: found.length, duplicates: events.duplicates(), events: found.slice(countFrom(since)) });
  });
  app.get('/bad', (c) =>
    c.json({ count: rejected.all().length, rejected: rejected.all().slice(countFrom(c.req.query('since'))) }),
  );
  app.get('/requests', (c) => {
    const { path, since } = c.req.query();
    const found = requests.all().filter((request) => path === undefined || request.path.includes(path));
    return c.json({ count: found.length, underWay: underWay(), requests: found.slice(countFrom(since)) });
  });
  app.post('/reset', (c) => {
    clear();
    return c.json({});
  });
  app.get('/faults', (c) => c.json(faults.all()));
  app.post('/faults', async (c) => {
    const switches = decode(FaultSwitches)(json.parse(await c.req.text()));
    if (isLeft(switches)) return c.json(errorBody(400, switches.left.message), 400);
    faults.add(switches.right);
    return c.json(faults.all());
  });
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json([]);
  });
  return app;
};

/** `since` is the count of an earlier answer: only what came after it is shown. */
const countFrom = (since: string | undefined): number =>
  since !== undefined && /^\d+$/.test(since) ? Number(since) : 0;
