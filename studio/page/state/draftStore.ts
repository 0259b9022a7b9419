import { fromEvent, map, type Observable, startWith } from 'rxjs';

import { type Draft, draftOfStored, storedText } from './drafts';

/** A draft of another window. */
export interface OtherDraft {
  readonly window: string;
  readonly cohort: string;
  readonly draft: Draft;
}

/**
 * Drafts on disk: in local storage at once with each change, so that neither a reload nor a crash loses one or the
 * steps back from it. Each window has its own drafts. Those of a window that is gone are taken over by the next.
 */
export interface DraftStore {
  /** Drafts of this window, and of windows that are gone, by cohort. */
  readonly read: () => Readonly<Record<string, Draft>>;
  readonly write: (cohort: string, draft: Draft | undefined) => void;
  /** Drafts of other windows that are open, now and whenever they change. */
  readonly others$: Observable<readonly OtherDraft[]>;
}

const prefix = 'studio';
const windowKey = 'studio-window';
const lockOf = (window: string): string => `studio-window-${window}`;
/** Names in keys have no colon. */
const part = encodeURIComponent;

/** The drafts of a file. */
export const openDrafts = async (file: string): Promise<DraftStore> => {
  const own = await ownWindow();
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  const begin = `${prefix}:${part(file)}:`;
  const all = (): readonly OtherDraft[] =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(begin))
      .flatMap((key) => {
        const [window = '', cohort = ''] = key.slice(begin.length).split(':').map(decodeURIComponent);
        const draft = draftOfStored(localStorage.getItem(key));
        return draft === undefined ? [] : [{ window, cohort, draft }];
      });
  const keyOf = (window: string, cohort: string): string => `${begin}${part(window)}:${part(cohort)}`;
  for (const { window, cohort, draft } of [...all()].sort((a, b) => a.draft.at - b.draft.at))
    if (window !== own && !open.has(lockOf(window))) {
      const kept = draftOfStored(localStorage.getItem(keyOf(own, cohort)));
      if (kept === undefined || kept.at < draft.at) localStorage.setItem(keyOf(own, cohort), storedText(draft));
      localStorage.removeItem(keyOf(window, cohort));
    }
  return {
    read: () =>
      Object.fromEntries(all().flatMap(({ window, cohort, draft }) => (window === own ? [[cohort, draft]] : []))),
    write: (cohort, draft) => {
      if (draft === undefined) localStorage.removeItem(keyOf(own, cohort));
      else localStorage.setItem(keyOf(own, cohort), storedText(draft));
    },
    others$: fromEvent(window, 'storage').pipe(
      startWith(undefined),
      map(() => all().filter(({ window }) => window !== own)),
    ),
  };
};

/**
 * The name of this window, which a reload keeps. A window that was made as a copy of another gets a name of its own.
 */
const ownWindow = async (): Promise<string> => {
  const name = sessionStorage.getItem(windowKey) ?? crypto.randomUUID();
  const isOurs = await new Promise<boolean>((resolve) => {
    void navigator.locks.request(lockOf(name), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      // The lock is held as long as the window is there.
      return lock === null ? undefined : new Promise<void>(() => undefined);
    });
  });
  if (isOurs) {
    sessionStorage.setItem(windowKey, name);
    return name;
  }
  sessionStorage.removeItem(windowKey);
  return ownWindow();
};
