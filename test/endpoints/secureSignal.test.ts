import nock from 'nock';

import { call } from '../../src/endpoints/call';
import { secureSignal } from '../../src/endpoints/secureSignal';
import { callDeps, valueOf } from './support/callDeps';

const host = 'https://secure-signals.permutive.app';
const body = { user_id: 'visitor', cohorts: ['7', 'abc'] };
const ask = (config = {}): Promise<unknown> => valueOf(call(secureSignal, { body }, callDeps(config)));

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

describe('secureSignal', () => {
  it('posts the visitor and the cohorts to its own host', async () => {
    const server = nock(host)
      .post('/v1/signal?k=key', JSON.stringify(body))
      .reply(200, { signal: 'sealed', expires_in: 60 });
    await expect(ask()).resolves.toEqual({ signal: 'sealed', expires_in: 60 });
    expect(server.isDone()).toBe(true);
  });

  it.each([
    ['an empty body', 200, '', /expected/],
    ['no JSON', 200, 'sealed', /JSON/],
    ['no signal', 200, { expires_in: 60 }, /signal/],
    ['an end that is no number', 200, { signal: 'sealed', expires_in: 'soon' }, /expires_in/],
    ['a refusal', 403, '', /403/],
    ['a fault of the server', 503, '', /503/],
  ])('errors with %s', async (_, status, answer, message) => {
    nock(host).post('/v1/signal?k=key').reply(status, answer);
    await expect(ask()).rejects.toThrow(message);
  });

  it('gives up on a server that hangs', async () => {
    nock(host).post('/v1/signal?k=key').delay(200).reply(200, {});
    await expect(ask({ requestTimeout: 20 })).rejects.toThrow('timed out');
  });
});
