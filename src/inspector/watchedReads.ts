import { isRecord } from '../model/codecs';
import type { Settings } from '../model/config';
import type { Json } from '../model/json';
import { localKeys, ownPrefix } from '../model/storageKeys';
import type { CookieJar, Page, TextStorage } from '../platform/platform';
import type { World } from '../visit/world';
import type { Log } from './log';
import type { Recorder } from './recorder';

type Doors = Pick<World, 'local' | 'session' | 'cookies' | 'page' | 'setting' | 'now' | 'random' | 'newId'>;

/** The doors that answer at once. Reads are noted where their value has changed, and writes as effects. */
export const watchedReads = (
  world: Doors,
  { log, recorder, json }: { readonly log: Log; readonly recorder: Recorder; readonly json: Json },
): Doors => {
  const { read, draw } = recorder;
  const setting: Settings = (name) =>
    read<ReturnType<typeof world.setting<typeof name>>>('setting', name, world.setting(name));
  return {
    local: watchedStorage('local', hidingIdentities(world.local, log, json), log, recorder),
    session: watchedStorage('session', world.session, log, recorder),
    cookies: watchedCookies(world.cookies, log, recorder),
    page: watchedPage(world.page, log, recorder),
    setting,
    now: () => read('now', '', world.now()),
    random: () => draw('random', world.random()),
    newId: () => draw('id', world.newId()),
  };
};

/** Keeps the stored ids by which others know the visitor out of the log. */
const hidingIdentities = (local: TextStorage, { hide }: Pick<Log, 'hide'>, json: Json): TextStorage => ({
  ...local,
  read: (key) => {
    const text = local.read(key);
    if (key === localKeys.notes && text !== null) {
      const notes = json.parse(text);
      const identities = isRecord(notes) && isRecord(notes['identities']) ? Object.values(notes['identities']) : [];
      for (const identity of identities) if (isRecord(identity)) hide(String(identity['id']));
    }
    return text;
  },
});

const watchedStorage = (door: string, storage: TextStorage, log: Log, { read, wrote }: Recorder): TextStorage => ({
  read: (key) => read(door, key, storage.read(key)),
  write: (key, text) => {
    const failure = read(`${door} failure`, key, storage.write(key, text));
    if (failure === undefined) wrote(door, key, text);
    log.note({ lane: 'effects', type: door, data: { key, ...shown(key, text) } });
    return failure;
  },
  remove: (key) => {
    storage.remove(key);
    wrote(door, key, null);
    log.note({ lane: 'effects', type: door, data: { key, text: null } });
  },
  keys: () => read(`${door} keys`, '', storage.keys()),
});

/** The texts that partners read are shown; of our own, which may be long, their length. */
const shown = (key: string, text: string) => (key.startsWith(ownPrefix) ? { characters: text.length } : { text });

const watchedCookies = (cookies: CookieJar, log: Log, { read }: Recorder): CookieJar => ({
  read: (name) => read('cookie', name, cookies.read(name)),
  write: (cookie) => {
    cookies.write(cookie);
    log.note({ lane: 'effects', type: 'cookie', data: { cookie } });
  },
});

/** Of the globals only which were there is noted: they are objects of other scripts. */
const watchedPage = (page: Page, log: Log, { read }: Recorder): Page => ({
  ...page,
  url: () => read('page', 'url', page.url()),
  host: () => read('page', 'host', page.host()),
  path: () => read('page', 'path', page.path()),
  isEmbedded: () => read('page', 'isEmbedded', page.isEmbedded()),
  title: () => read('page', 'title', page.title()),
  referrer: () => read('page', 'referrer', page.referrer()),
  userAgent: () => read('page', 'userAgent', page.userAgent()),
  hidden: () => read('page', 'hidden', page.hidden()),
  online: () => read('page', 'online', page.online()),
  scrollDepth: () => read('page', 'scrollDepth', page.scrollDepth()),
  dispatch: (name, detail) => {
    log.note({ lane: 'effects', type: 'dispatch', data: { name } });
    page.dispatch(name, detail);
  },
});
