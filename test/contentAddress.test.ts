import { ignoreElements, of, tap } from 'rxjs';

import type { Addon } from '../src/addons/addon';
import { web } from '../src/addons/web/web';
import { cohortServices } from '../src/cohorts/cohortServices';
import { pageviewFields } from '../src/model/project';
import { localKeys } from '../src/model/storageKeys';
import type { HttpAnswer, HttpRequest } from '../src/platform/platform';
import { pagePlayer } from './support/playPage';
import { lateParts } from './support/project';
import { engineOf, type TestWorld } from './support/world';

const origin = 'https://www.site.example';
const play = pagePlayer(20_000);
const longId = 'a1'.repeat(20);
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.s-_G';

const answers: Readonly<Record<string, unknown>> = {
  affinity: { affinity_values: {} },
  watson: { concepts: [{ text: 'copper', relevance: 1 }] },
  '/clm/': { cohorts: [] },
  'ctx/v1/state': { activations: {}, cohorts: [], requires_segmentation: true },
  'ctx/v1/segment': { activations: {}, cohorts: [] },
};
const services = ['affinity', 'watson', '/clm/', 'ctx/v1/state', 'ctx/v1/segment'];
const serve = ({ url }: HttpRequest) => {
  const name = Object.keys(answers).find((part) => url.includes(part));
  const answer: HttpAnswer = { status: 200, body: JSON.stringify(name === undefined ? {} : answers[name]) };
  return of(answer);
};

/** What the reader has heard of the page, in turn. */
const heard: unknown[] = [];
/** Somebody has to read the codes of the page, or the contextual service is not asked. */
const contextualReader: Addon<unknown> = {
  name: 'reader',
  autoInit: true,
  options: (input) => input,
  run: ({ contextual$ }) =>
    contextual$.pipe(
      tap((codes) => heard.push(codes)),
      ignoreElements(),
    ),
};

/** Plays a page at each of these paths, one after the other in one document, with all services that look at a page. */
const played = (paths: readonly string[], contentParameters?: readonly string[]): TestWorld => {
  const place = { path: paths[0]! };
  const cohortCodes = { 10000001: 'standard' };
  const call = (world: TestWorld): void => world.calls.startAddon('web', {});
  return play(
    {
      send: serve,
      page: { url: () => `${place.path.startsWith('https:') ? '' : origin}${place.path}` },
      addons: [web, contextualReader],
      deferredParts$: of(lateParts({ cohortServices, definition: { tpdProviders: [], standardAudiences: {} } })),
      project: {
        cohortCodes,
        lookups: ['classification'],
        pageviewFields,
        ...(contentParameters && { contentParameters }),
      },
    },
    [0, call],
    [10, (world) => engineOf(world).initialise()],
    [20, (world) => engineOf(world).reachBarrier()],
    ...paths.slice(1).map(
      (path, i) =>
        [
          2000 * (i + 1),
          (world: TestWorld) => {
            place.path = path;
            call(world);
          },
        ] as const,
    ),
  );
};

/** The addresses that a service was asked for, each once. */
const asked = ({ requests }: TestWorld, service: string): readonly string[] => [
  ...new Set(
    requests
      .filter(({ url }) => url.includes(service))
      .map(({ url, body }) =>
        (new URL(url).searchParams.get('url') ?? (JSON.parse(body ?? '{}') as { url: string }).url).replace(origin, ''),
      ),
  ),
];

describe('Services that look at a page are asked for an address that the page has', () => {
  it.each([
    ['/story?sid=101&utm_source=mail#part', [], '/story'],
    ['/story/?sid=101&utm_source=mail', ['sid'], '/story/?sid=101'],
    ['/story?b=2&a=1&c=3', ['a', 'b'], '/story?b=2&a=1'],
    ['/story?%73id=101', ['sid'], '/story?%73id=101'],
    ['/story?id=7&SID=1', ['sid'], '/story'],
    [`/a/${longId}`, [], `/a/${longId}`],
    ['/a/', [], '/a'],
  ])('%s with the parameters %j', (path, parameters, address) => {
    const world = played([path], parameters);
    expect(services.map((service) => asked(world, service))).toEqual(services.map(() => [address]));
  });

  it.each([
    ['https://reader:secret@www.site.example/a', [], '/a'],
    ['/u/reader@site.example/a', [], '/u/*/a'],
    ['/u/reader%40site.example/a', [], '/u/*/a'],
    [`/verify/${token}`, [], '/verify/*'],
    ['/a;jsessionid=7/b', [], '/a;jsessionid=*/b'],
    ['/a?q=reader@site.example', ['q'], '/a?q=*'],
    [`/a?q=${token}`, ['q'], '/a?q=*'],
    ['/a?q=%2Fb%3Ftoken%3Ds', ['q'], '/a?q=%2Fb%3Ftoken%3D*'],
  ])('and for nothing that names a person: %s', (path, parameters, address) => {
    const world = played([path], parameters);
    expect(services.map((service) => asked(world, service))).toEqual(services.map(() => [address]));
  });

  it('each page for its own, though their redacted addresses are the same', () => {
    const world = played(['/story?sid=101', '/story?sid=102', `/a/${longId}`, `/a/${longId}b`], ['sid']);
    const addresses = ['/story?sid=101', '/story?sid=102', `/a/${longId}`, `/a/${longId}b`];
    expect(services.map((service) => asked(world, service))).toEqual(services.map(() => addresses));
  });

  it('and addons hear that there is no answer yet, until it has come', () => {
    heard.length = 0;
    played(['/story', '/other']);
    expect(heard).toEqual([{}, {}, undefined, {}, {}]);
  });

  it('and keep the answer of a page under the address that it was asked for', () => {
    const { local } = played(['/story?sid=101', '/story?sid=102'], ['sid']);
    const { pages } = JSON.parse(local.read(localKeys.pageData)!) as { pages: readonly { url: string }[] };
    expect(pages.map(({ url }) => url)).toEqual([`${origin}/story?sid=101`, `${origin}/story?sid=102`]);
  });
});
