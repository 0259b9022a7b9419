import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

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

const answering = { fetch: () => new Response('mine') };
const isHeld = (port: number, host: string): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(true));
    server.listen(port, host, () => server.close(() => done(false)));
  });
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

(hasIpv6 ? it : it.skip)(
  'takes its port on both addresses of this machine, so that nobody else gets what is meant for it',
  async () => {
    const { port, close } = await listen(answering, 0);
    expect(await (await fetch(`http://[::1]:${port}/`)).text()).toBe('mine');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('mine');
    expect(await isHeld(port, '::1')).toBe(true);
    await close();
    expect(await Promise.all([isHeld(port, '::1'), isHeld(port, '127.0.0.1')])).toEqual([false, false]);
  },
);

(hasIpv6 ? it : it.skip)('does not start where somebody else has the port on the other address', async () => {
  const other = createServer();
  const port = await new Promise<number>((done) =>
    other.listen(0, '::1', () => done((other.address() as AddressInfo).port)),
  );
  await expect(listen(answering, port)).rejects.toThrow('EADDRINUSE');
  expect(await isHeld(port, '127.0.0.1')).toBe(false);
  await new Promise((done) => other.close(done));
});

it('takes one address where it is told which', async () => {
  const { port, close } = await listen(answering, 0, '127.0.0.1');
  expect(await isHeld(port, '127.0.0.1')).toBe(true);
  expect(await isHeld(port, '::1')).toBe(false);
  await close();
});
