import type { Finding } from '../../model/finding';
import { ownPrefix } from '../../model/storageKeys';
import type { World } from '../../visit/world';
import { promised, readOf, valueWithin } from './askPage';
import { findingsAt } from './finding';

const atStorage = findingsAt('storage');

/** A browser answers from its memory. In ms. */
const storePatience = 1_000;

/** What the browser stores for the page. No key is written to find out. */
export const storageFacts = async ({ page, local }: Pick<World, 'page' | 'local'>) => {
  const storage = page.global('localStorage') as Storage | null | undefined;
  const database = page.global('indexedDB') as IDBFactory | undefined;
  const manager = readOf(() => (page.global('navigator') as Navigator | undefined)?.storage, undefined);
  const [isUsable, estimate] = await Promise.all([
    // An older browser that cannot list its databases can still have them.
    typeof database?.databases === 'function'
      ? valueWithin(
          storePatience,
          promised(() => database.databases().then(() => true)),
          false,
        )
      : true,
    valueWithin(
      storePatience,
      promised(() => manager?.estimate()),
      undefined,
    ),
  ]);
  return {
    /** Whether the browser gives the page local storage. */
    hasLocal: storage !== undefined && storage !== null,
    /**
     * Keys of the SDK that the browser has not stored, so that the values are in memory for this page only: the SDK
     * reads them, and the browser does not have them.
     */
    unstored: storage
      ? local.keys().filter((key) => key.startsWith(ownPrefix) && readOf(() => storage.getItem(key), null) === null)
      : [],
    /** `missing`: the browser has no IndexedDB. `refused`: it does not let the page use it. */
    indexedDb: database ? (isUsable ? 'usable' : 'refused') : 'missing',
    /** Share of the origin's space that is used, from 0 to 1; undefined where the browser does not say. */
    used:
      estimate?.usage !== undefined && estimate.quota !== undefined && estimate.quota > 0
        ? estimate.usage / estimate.quota
        : undefined,
    /** Whether the page is in a frame of another site. */
    isEmbedded: page.isEmbedded(),
  } as const;
};
type StorageFacts = Awaited<ReturnType<typeof storageFacts>>;

/** From this share of its space on, an origin counts as full: one large write may fail. */
const fullShare = 0.95;

/** What is to be said of what the browser stores. */
export const storageFindings = (storage: StorageFacts): readonly Finding[] => [
  ...atStorage.error(
    !storage.hasLocal,
    'The browser does not give the page local storage',
    'Allow the site to store data. In a frame, remove the attribute `sandbox` or add `allow-same-origin`.',
  ),
  ...atStorage.error(
    storage.hasLocal && storage.unstored.length > 0,
    `Local storage has no room: ${storage.unstored.join(', ')} are kept for this page only`,
    'Free local storage of the site: browsers give an origin about 5 MB.',
  ),
  ...atStorage.warning(
    storage.indexedDb !== 'usable',
    storage.indexedDb === 'missing'
      ? 'The browser has no IndexedDB'
      : 'The browser does not let the page use IndexedDB',
    'Events are kept in local storage, which has less room. Some private windows are so; else allow the site to store data.',
  ),
  ...atStorage.warning(
    (storage.used ?? 0) >= fullShare,
    `The space of the origin is ${Math.round((storage.used ?? 0) * 100)} % full`,
    'Delete what the site has stored in IndexedDB and in caches, or free space on the disk.',
  ),
  ...atStorage.warning(
    storage.isEmbedded,
    'The page is in a frame of another site',
    'Browsers keep the storage of such frames apart, so that the visitor is another one here. Put the SDK into the outer page.',
  ),
];
