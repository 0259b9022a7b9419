/** @jest-environment jsdom */
import { readFileSync } from 'node:fs';

import type { PublicMethods } from '../../src/api/publicMethods';
import { queuedCalls } from '../../src/api/tag';
import { tagMethods } from '../../src/api/tagMethods';
import { load, type LoadConfig } from '../../src/page/load';
import type { LoadedMethods, Permutive, PermutiveMethods } from '../../src/page/permutive';
import { stubs } from '../../src/page/stubs';

const config: LoadConfig = { apiKey: 'key', workspaceId: 'workspace' };
/** A page of its own for each test. */
const pageOf = (permutive?: Permutive) => ({
  document: document.implementation.createHTMLDocument(),
  crypto: { randomUUID: () => 'd3b1b5a0-0000-4000-8000-000000000000' as const },
  ...(permutive && { permutive }),
});

/** Calls in the queue, as the SDK reads them; a wrong one is an error. */
const callsOf = (permutive: Permutive) =>
  queuedCalls(permutive as unknown as Record<string, unknown>, (_, cause) => {
    throw cause as Error;
  });
/** Replays the last call with this in place of the SDK’s method. */
const answer = (permutive: Permutive, method: (...args: readonly never[]) => void): void => {
  method(...((callsOf(permutive).at(-1)?.arguments ?? []) as readonly never[]));
};

type InspectorMethods = Pick<LoadedMethods, 'inspect' | 'record' | 'recording' | 'doctor'>;

it('has types that the methods of the SDK keep', () => {
  const typed = (methods: PublicMethods & InspectorMethods): PermutiveMethods & LoadedMethods => methods;
  expect(typed).toBeDefined();
});

it('has the methods of the documented tag', () => {
  const [, snippet = ''] = /\[('addon'.*?)\]\.forEach/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(snippet.split(', ')).toEqual(tagMethods.map((name) => `'${name}'`));
  expect(Object.keys(stubs(() => undefined)).sort()).toEqual([...tagMethods].sort());
});

describe('load', () => {
  it('adds the page script of the CDN', () => {
    const page = pageOf();
    load({ ...config, cdnBaseUrl: 'cdn.example/sdk' }, page);
    const scripts = [...page.document.querySelectorAll('script')];
    expect(scripts.map(({ src, async, crossOrigin }) => [src, async, crossOrigin])).toEqual([
      ['https://cdn.example/sdk/workspace-web.js', true, null],
    ]);
  });

  it('takes an address, a hash and a nonce, which are no settings', () => {
    const page = pageOf();
    const { config: settings } = load({ ...config, src: '/p.js', integrity: 'sha384-abc', nonce: 'n' }, page);
    const script = page.document.querySelector('script');
    expect([script?.getAttribute('src'), script?.integrity, script?.crossOrigin, script?.nonce]).toEqual([
      '/p.js',
      'sha384-abc',
      'anonymous',
      'n',
    ]);
    expect(settings).toEqual({
      apiKey: 'key',
      workspaceId: 'workspace',
      environment: 'production',
      viewId: 'd3b1b5a0-0000-4000-8000-000000000000',
    });
  });

  it('lets a page keep the tag that it has', () => {
    const page = pageOf();
    const first = load(config, page);
    expect(load({ ...config, apiKey: 'other' }, page)).toBe(first);
    expect(page.document.querySelectorAll('script')).toHaveLength(1);
  });
});

describe('the tag of load', () => {
  it('queues calls as the snippet does', () => {
    const permutive = load(config, pageOf());
    permutive.addon('web', { page: {} });
    permutive.consent({ opt_in: true });
    permutive.query('7', 'result', () => undefined);
    expect(callsOf(permutive).map(({ functionName, arguments: [first] }) => [functionName, first])).toEqual([
      ['addon', 'web'],
      ['consent', { opt_in: true }],
      ['query', '7'],
    ]);
  });

  it('has promises and callbacks of the answers', async () => {
    const permutive = load(config, pageOf());
    const told: unknown[] = [];
    const segment = permutive.segment('7', (isMember) => told.push(isMember));
    answer(permutive, (_: string, tell: (is: boolean) => void) => tell(true));
    const segments = permutive.segments((codes) => told.push(codes), 'dfp');
    answer(permutive, (tell: (codes: readonly string[]) => void, type: string) => tell([type]));
    const user = permutive.identify('reader');
    answer(permutive, (tell: (id: string) => void) => tell('visitor'));
    const ready = permutive.ready(null, 'realtime');
    answer(permutive, (tell: () => void) => tell());
    expect(await Promise.all([segment, segments, user, ready])).toEqual([true, ['dfp'], 'visitor', undefined]);
    expect(told).toEqual([true, ['dfp']]);
  });

  it('resolves a tracked event once the server has answered', async () => {
    const permutive = load(config, pageOf());
    const told: unknown[] = [];
    const event = { name: 'Purchase' };
    const taken = permutive.track('Purchase', {}, { success: ({ name }) => told.push(name) });
    answer(permutive, (_: string, __: object, { success }: { success: (taken: object) => void }) => success(event));
    const refused = permutive.track('Purchase', {}, { error: (errors) => told.push(errors) });
    answer(permutive, (_: string, __: object, { error }: { error: (errors: string[]) => void }) => error(['no']));
    expect(await Promise.all([taken, refused])).toEqual([event, null]);
    expect(told).toEqual(['Purchase', ['no']]);
  });

  it('has handles that stop a listener before it was bound', () => {
    const permutive = load(config, pageOf());
    const told: unknown[] = [];
    const hear = (value: string): void => {
      const tell = callsOf(permutive).at(-1)?.arguments.at(-1) as (value: string) => void;
      tell(value);
    };
    const heard = (handle: { readonly remove: () => unknown }): void => {
      hear('first');
      handle.remove();
      hear('second');
    };
    heard(permutive.on('Pageview', (event) => told.push(event)).replay());
    heard(permutive.once(/view/, (event) => told.push(event)));
    heard(permutive.trigger('7', 'result', (change) => told.push(change)));
    expect(told).toEqual(['first', 'first', 'first']);
  });
});
