import { localKeys } from '../model/storageKeys';
import { isUserId } from '../primitives/uuid';
import { establishUser, keepUser, knownUser } from '../streams/visitor/userId';
import type { World } from './world';

/** The user of a visit, and the world as far as it is theirs. */
export interface Owner {
  /** The user id of this moment: the stored or a new one, until `adopt`. */
  readonly userId: () => string;
  /** Whether this browser had no user id yet. */
  readonly isNew: boolean;
  /** Goes on as another user, to whom everything belongs that is stored from now on. */
  readonly adopt: (userId: string) => void;
  /** Whether the visit goes on as another user than it began with. */
  readonly isAdopted: () => boolean;
  /**
   * Whether another tab, or another origin of the site, has given this browser another user. The latest change counts,
   * so several tabs that change the user at once agree on it. No id at all is no other user: a reset never leaves none.
   */
  readonly isReplaced: () => boolean;
  /**
   * The world, in which local storage is empty and takes nothing while it is another user's, and no cookie is written
   * while the id cookie is another user's.
   */
  readonly world: World;
}

/** What one visit goes on with, though its user has another id now: its session, and what is kept for that. */
const ofVisit = [localKeys.session, localKeys.pageData];

/**
 * Finds the visitor's id or makes one, and takes the storage of this origin over for that user. Everything that is
 * stored of a visitor is read and written through `world`, so that nothing of one user counts for another (spec C§4).
 * The journal is not, because each of its events names its user.
 */
export const ownerOf = (world: World): Owner => {
  const { local, cookies, setting } = world;
  const { id: established, isNewlyGenerated } = establishUser(world);
  let id = established;
  let isKnownLost = false;
  // Both places are looked at first alone, because they say the same nearly always.
  const isReplaced = (): boolean =>
    (local.read(localKeys.userId) !== id || cookies.read(setting('cookieName')) !== id) &&
    (knownUser(world)?.id ?? id) !== id;
  const isLost = (): boolean => {
    const stored = local.read(localKeys.userId);
    // The cookie is read only where local storage has no id, because browsers fetch cookies from another process.
    isKnownLost = stored !== id && (isUserId(stored) || cookies.read(setting('cookieName')) !== id);
    // A page may have removed the id alone. Data that is stored without an id would be nobody's. Where the cookie is
    // gone too, the visitor was forgotten, and the id must not come back.
    if (!isKnownLost && stored !== id) local.write(localKeys.userId, id);
    return isKnownLost;
  };
  return {
    userId: () => id,
    isNew: isNewlyGenerated,
    adopt: (userId) => {
      if (!isLost()) keepUser(userId, world, ofVisit);
      id = userId;
    },
    isAdopted: () => id !== established,
    isReplaced,
    world: {
      ...world,
      local: {
        ...local,
        // Each write looks, because a tab that was frozen has heard nothing. A read goes by the last look, because a
        // page reads far more often than it writes.
        read: (key) => (isKnownLost ? null : local.read(key)),
        write: (key, text) => (isLost() ? undefined : local.write(key, text)),
        remove: (key) => {
          if (!isLost()) local.remove(key);
        },
      },
      cookies: {
        ...cookies,
        write: (cookie) => {
          if (!isReplaced()) cookies.write(cookie);
        },
      },
    },
  };
};
