import { nameOf } from '../model/errors';
import { localKeys } from '../model/storageKeys';
import { times } from '../primitives/lists';
import type { TextStorage, WriteFailure } from './platform';

/**
 * Local or session storage that never throws. Where the browser has none, `onUnavailable` hears why, once
 * (`LocalStorage access is required. {detail}`, spec C§8). Texts that are not stored are kept in memory for this page.
 */
export const textStorage = (open: () => Storage, onUnavailable: (detail: string) => void): TextStorage => {
  const memory = new Map<string, string>();
  const storage = openStorage(open, onUnavailable);
  const attempt = <A>(action: (storage: Storage) => A, fallback: A): A => {
    if (storage === undefined) return fallback;
    try {
      return action(storage);
    } catch {
      return fallback;
    }
  };
  return {
    // A text in memory is newer than the stored one.
    read: (key) => memory.get(key) ?? attempt((s) => s.getItem(key), null),
    write: (key, text) => {
      const failure = attempt<WriteFailure | undefined>((s) => setItem(s, key, text), 'unavailable');
      if (failure === undefined) memory.delete(key);
      else memory.set(key, text);
      return failure;
    },
    remove: (key) => {
      memory.delete(key);
      attempt((s) => s.removeItem(key), undefined);
    },
    keys: () => [...new Set([...memory.keys(), ...attempt((s) => times(s.length, (i) => s.key(i) ?? ''), [])])],
  };
};

const openStorage = (open: () => Storage, onUnavailable: (detail: string) => void): Storage | undefined => {
  try {
    const storage = open();
    // Null in an Android WebView without DOM storage: reading a key then throws here, as it does where storage is
    // forbidden.
    storage.getItem(localKeys.userId);
    return storage;
  } catch (error) {
    onUnavailable(error instanceof Error ? error.message : 'unknown');
    return undefined;
  }
};

const setItem = (storage: Storage, key: string, text: string): WriteFailure | undefined => {
  try {
    storage.setItem(key, text);
    return undefined;
  } catch (error) {
    return isQuotaError(error) ? 'quota' : 'unavailable';
  }
};

/**
 * Whether an error is a lack of room. Browsers name it `QuotaExceededError`, older Firefox
 * `NS_ERROR_DOM_QUOTA_REACHED`.
 */
export const isQuotaError = (error: unknown): boolean =>
  ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'].includes(nameOf(error));
