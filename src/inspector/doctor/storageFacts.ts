import { ownPrefix } from '../../model/storageKeys';
import type { World } from '../../visit/world';
import { promised, readOf, valueWithin } from './askPage';
import type { StorageFacts } from './facts';

/** A browser answers from its memory. In ms. */
const storePatience = 1_000;

/** What the browser stores for the page. No key is written to find out. */
export const storageFacts = async ({ page, local }: Pick<World, 'page' | 'local'>): Promise<StorageFacts> => {
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
    hasLocal: storage !== undefined && storage !== null,
    // What the browser does not store is kept in memory: the SDK reads it, and the browser does not have it.
    unstored: storage
      ? local.keys().filter((key) => key.startsWith(ownPrefix) && readOf(() => storage.getItem(key), null) === null)
      : [],
    indexedDb: database ? (isUsable ? 'usable' : 'refused') : 'missing',
    used:
      estimate?.usage !== undefined && estimate.quota !== undefined && estimate.quota > 0
        ? estimate.usage / estimate.quota
        : undefined,
    isEmbedded: page.isEmbedded(),
  };
};
