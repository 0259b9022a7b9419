import { map, mergeMap, NEVER, of } from 'rxjs';

import type { Googletag, Pubads } from '../../src/addons/googleAdManager/googletag';
import type { EngineCommand } from '../../src/model/engineCommands';
import { localKeys } from '../../src/model/storageKeys';
import type { EngineLink, Platform } from '../../src/platform/platform';
import type { Clause } from './clauses';
import type { Story } from './steps';

type Break = (platform: Platform) => Platform;

/** Changes what the page says to its engine. */
const engineHears =
  (change: (command: EngineCommand) => readonly EngineCommand[]): Break =>
  ({ openEngine, ...platform }) => ({
    ...platform,
    openEngine: (): EngineLink => {
      const { send, message$ } = openEngine();
      return { message$, send: (message) => change(message).forEach(send) };
    },
  });

/** Changes what is done with the requests that bring events. */
const eventsAre =
  (change: (send: Platform['http']['send']) => Platform['http']['send']): Break =>
  ({ http, ...platform }) => ({
    ...platform,
    http: {
      ...http,
      send: (request) => (request.url.includes('/batch/events') ? change(http.send) : http.send)(request),
    },
  });

/** Pages hear nothing of each other. */
const deaf: Break = ({ listen, tabs, ...platform }) => ({
  ...platform,
  listen: (target, type) => (type === 'storage' ? NEVER : listen(target, type)),
  tabs: { ...tabs, message$: NEVER },
});

/** A page that is prerendered takes itself for shown. */
const unaware: Break = ({ listen, ...platform }) => ({
  ...platform,
  listen: (target, type) => (type === 'prerenderingchange' ? of(new Event(type)) : listen(target, type)),
});

/** No page finds the id that was stored. */
const forgetful: Break = ({ cookies, local, ...platform }) => ({
  ...platform,
  cookies: { ...cookies, read: () => undefined },
  local: { ...local, read: (key) => (key === localKeys.userId ? null : local.read(key)) },
});

/** The server says that it has events, and has none of them. */
const lost = eventsAre(
  () =>
    ({ body = '[]' }) =>
      of({ status: 200, body: JSON.stringify((JSON.parse(body) as unknown[]).map(() => ({ code: 200 }))) }),
);
const stranger = '00000000-0000-4000-8000-999999999999';
/** The server gets events twice, the second time as those of a stranger. */
const repeated = eventsAre(
  (send) => (request) =>
    send(request).pipe(
      mergeMap((answer) =>
        send({ ...request, body: request.body?.replace(/"user_id":"[^"]*"/g, `"user_id":"${stranger}"`) ?? '' }).pipe(
          map(() => answer),
        ),
      ),
    ),
);

/** The page finds an answer about consent that nobody has given. */
const answered =
  (optIn: boolean): Break =>
  ({ local, ...platform }) => ({
    ...platform,
    local: {
      ...local,
      read: (key) =>
        local.read(key) ??
        (key === localKeys.consent ? JSON.stringify({ opt_in: optIn, ...(optIn && { token: 'CONSENT' }) }) : null),
    },
  });

/** The page sees no answer of another origin. */
const shortSighted: Break = ({ cookies, ...platform }) => ({
  ...platform,
  cookies: { ...cookies, read: (name) => (name === localKeys.consent ? undefined : cookies.read(name)) },
});

/** Google's tag keeps the first user that it is told. */
const stubborn: Break = ({ page, ...platform }) => {
  let isTold = false;
  const pubads = (page.global('googletag') as Googletag).pubads?.();
  const setTargeting: Pubads['setTargeting'] = (key, value) => {
    if (key !== 'puid' || !isTold) pubads?.setTargeting?.(key, value);
    isTold ||= key === 'puid';
  };
  const googletag: Googletag = {
    ...(page.global('googletag') as Googletag),
    pubads: () => ({ ...pubads, setTargeting, clearTargeting: () => undefined }),
  };
  return { ...platform, page: { ...page, global: (name) => (name === 'googletag' ? googletag : page.global(name)) } };
};

/** The server gets events that say another page. */
const elsewhere = eventsAre(
  (send) => (request) => send({ ...request, body: request.body?.replaceAll('"title":"', '"title":"Elsewhere ') ?? '' }),
);

/** Each view has the id of the one before. */
const repeating: Break = ({ newId, ...platform }) => {
  const id = newId();
  return { ...platform, newId: () => id };
};

/** The clock of the page stands still. */
const timeless: Break = ({ now, ...platform }) => {
  const began = now();
  return { ...platform, now: () => began };
};

const isTrack = ({ type }: EngineCommand): boolean => type === 'track';
/** The engine is told each event three times, and cannot know that these are the same. */
const thrice = engineHears((command) =>
  command.type === 'track'
    ? [1, 2, 3].map((i) => {
        const { event } = command;
        return { ...command, event: { ...event, id: `${event.id} ${i}`, number: event.number * 3 + i } };
      })
    : [command],
);

const told = (...steps: Story['steps']): Story => ({ consentRequired: false, steps });
const asked = (...steps: Story['steps']): Story => ({ consentRequired: true, steps });
const twoViews: Story['steps'] = [
  { do: 'open', tab: 0, then: 7000 },
  { do: 'spa', tab: 0, then: 7000 },
];

/** What breaks each clause: a platform that does not do what it should, and a story. */
export const faults: Readonly<Record<Exclude<Clause, 'I2 open' | 'I2 wavering'>, readonly [Break, Story]>> = {
  'I1 uploaded': [thrice, told(...twoViews)],
  'I1 told': [thrice, told(...twoViews)],
  'I1 stored': [thrice, told(...twoViews)],
  'I1 current': [stubborn, told(...twoViews, { do: 'logout', tab: 0, then: 7000 })],
  'I1 view': [
    timeless,
    told({ do: 'open', tab: 0, then: 7000 }, { do: 'open', tab: 0, then: 320_000 }, { do: 'back', tab: 0, then: 7000 }),
  ],
  'I2 silent': [answered(true), asked(...twoViews)],
  'I2 refused': [
    deaf,
    told(
      { do: 'open', tab: 0, then: 2500 },
      { do: 'open', tab: 1, then: 2500 },
      { do: 'consent', tab: 0, given: false, then: 700 },
      { do: 'spa', tab: 1, then: 7000 },
    ),
  ],
  'I2 elsewhere': [
    shortSighted,
    told({ do: 'open', tab: 0, consent: false, then: 2500 }, { do: 'open', tab: 2, then: 7000 }),
  ],
  'I2 erased': [
    answered(false),
    asked({ do: 'open', tab: 0, consent: true, then: 7000 }, { do: 'open', tab: 2, then: 7000 }),
  ],
  'I2 answered': [
    (platform) => ({ ...platform, openEngine: () => ({ message$: NEVER, send: () => undefined }) }),
    told(...twoViews),
  ],
  'I3 kept': [forgetful, told(...twoViews, { do: 'open', tab: 0, then: 7000 })],
  'I4 delivered': [lost, told(...twoViews)],
  'I4 once': [repeated, told(...twoViews)],
  'I5 prerendered': [unaware, told(...twoViews, { do: 'prerender', tab: 0, then: 7000 })],
  'I6 above': [thrice, told(...twoViews)],
  'I6 below': [engineHears((command) => (isTrack(command) ? [] : [command])), told(...twoViews)],
  'I6 completed': [
    engineHears((command) => (command.type === 'track' && command.event.name === 'PageviewComplete' ? [] : [command])),
    told(...twoViews),
  ],
  'I7 facts': [elsewhere, told(...twoViews)],
  'I7 views': [repeating, told(...twoViews)],
};
