import { ownFields } from '../hardening/ownFields';
import { localKeys } from '../model/storageKeys';
import { isUserId } from '../primitives/uuid';
import { type AnswerPlaces, consentSeen } from './consentSeen';

/** Settings of a page that say who its visitor is, and which view it is. */
interface LeavingConfig {
  readonly cookieName?: string;
  readonly viewId?: string;
}

/**
 * The visitor of a page that is left before the main part has come: the id is undefined where this browser has none,
 * and false where there is no consent. Throws where storage is blocked.
 *
 * @param cookieName - The cookie of the id, where the page names no other.
 */
export const leavingVisitor = (places: AnswerPlaces, cookieName: string) => {
  const { tag, cookie, local } = places;
  const config = ownFields(Object(tag['config']) as LeavingConfig);
  const ids = [cookie(config.cookieName ?? cookieName), local().getItem(localKeys.userId)];
  return { userId: consentSeen(places) === 'given' && ids.find(isUserId), config };
};
