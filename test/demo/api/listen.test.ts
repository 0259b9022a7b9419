import { createCollector } from '../../../demo/api/collector';
import type { RefusedEvents } from '../../../demo/api/events';
import { listen } from '../../../demo/api/listen';
import { until } from '../../browser/support/until';
import { event, project } from './support/client';

const path = '/v2.0/batch/events?enrich=false&sdkp=true&k=key';

it('answers what it has been asked before it stops, and takes nothing more', async () => {
  const kept: ((refused: RefusedEvents) => void)[] = [];
  const { app } = createCollector({
    project,
    keep: () => new Promise((resolve) => kept.push(resolve)),
    isReady: () => Promise.resolve(true),
  });
  const { port, stop } = await listen(app, 0);
  const post = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify([event('a')]) });
  const answer = post();
  const keep = await until(() => kept[0], 'the request');

  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await expect(post()).rejects.toThrow();
  expect(hasStopped).toBe(false);
  keep(new Map());
  expect((await answer).status).toBe(200);
  await stopped;
});
