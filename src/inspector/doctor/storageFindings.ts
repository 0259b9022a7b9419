import type { Finding } from '../../model/finding';
import type { Facts } from './facts';
import { findingsAt } from './finding';

const atStorage = findingsAt('storage');

/** From this share of its space on, an origin counts as full: one large write may fail. */
const fullShare = 0.95;

/** What is to be said of what the browser stores. */
export const storageFindings = ({ storage }: Facts): readonly Finding[] => [
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
