import { localKeys } from '../model/storageKeys';
import { orNone } from '../primitives/orNone';
import { textOrEmpty } from '../primitives/textOrEmpty';
import { stored, storedVisitor, type TagObject } from './storedVisitor';

/** Characters of what all pages keep together. The rest of local storage is the page's. */
const maxCharacters = 20_000;
/** The calls that tell events. The ids that `identify` is given must not be stored as they are. */
const kept = ['track', 'addon'];

/**
 * Keeps the calls that tell events for the SDK of the next page, where a page is left before the SDK has come: the
 * tag's `version` is undefined then. The stored list has the facts of each page, and the page's calls after them.
 * Nothing redacts addresses here, so what follows their path is left out; functions are left out too, because they are
 * no JSON. A page that may return from the back-forward cache keeps its queue. Without consent, what earlier pages have
 * kept is removed. `src/visit/leftCalls.ts` makes events of the list.
 */
export const keepCalls = (tag: Pick<TagObject, 'version' | 'q'>): void =>
  addEventListener('pagehide', ({ persisted }) =>
    orNone(() => {
      if (persisted || tag.version !== undefined) return;
      const { userId, config } = storedVisitor();
      if (userId === false) {
        localStorage.removeItem(localKeys.leftCalls);
        return;
      }
      const list = [
        ...(stored(localKeys.leftCalls) as unknown[]),
        [
          Date.now(),
          userId,
          config.viewId,
          location.pathname,
          document.title,
          textOrEmpty(document.referrer).split('?')[0],
        ],
      ];
      for (const call of tag.q)
        // A call that is no JSON, such as one with a cycle, costs itself.
        orNone(() => {
          const text = JSON.stringify([...list, call]);
          if (!kept.includes((call as NonNullable<typeof call>).functionName) || text.length > maxCharacters) return;
          localStorage.setItem(localKeys.leftCalls, text);
          list.push(call);
        });
    }),
  );
