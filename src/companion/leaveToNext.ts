import { localKeys } from '../model/storageKeys';
import { orNone } from '../primitives/orNone';
import { textOrEmpty } from '../primitives/textOrEmpty';
import { keepAnswer } from './keepAnswer';
import { stored, type StoredVisitor, type TagObject } from './storedVisitor';

/** Characters of what all pages keep together. The rest of local storage is the page's. */
const maxCharacters = 20_000;
/** The calls that tell events. The ids that `identify` is given must not be stored as they are. */
const kept = ['track', 'addon'];

/**
 * Leaves the tag's queue to the SDK of the next page, where a page is left before the SDK has come: the visitor's
 * answer about consent and, with consent, the calls that tell events.
 *
 * An answer is stored at the end of the task in which the page gives it, because Safari tells no page that is left
 * before its load event. The calls are stored as the page is left. The list has the facts of each page, and the page's
 * calls after them. Nothing redacts addresses here, so what follows their path is left out; functions are left out too,
 * because they are no JSON. A page that may return from the back-forward cache keeps its calls. Without consent, what
 * earlier pages have kept is removed. `src/visit/leftCalls.ts` makes events of the list.
 *
 * @param visitorOf - The visitor by the page's last answer; undefined once the SDK has come. Throws where storage is
 *   blocked, and where the page hides what is looked at.
 * @param cookie - Reads a cookie as it is encoded.
 */
export const leaveToNext = (
  tag: Pick<TagObject, 'q' | 'isAnswered'> & Partial<Pick<TagObject, 'consent'>>,
  visitorOf: () => Pick<StoredVisitor, 'userId' | 'config'> | undefined,
  cookie: (name: string) => string | undefined,
): void => {
  const keep = (): void => void Promise.resolve().then(() => orNone(() => keepAnswer(tag, visitorOf, cookie)));
  const { consent } = tag;
  if (consent)
    tag.consent = (answer) => {
      consent(answer);
      keep();
    };
  keep();
  addEventListener('pagehide', ({ persisted }) =>
    orNone(() => {
      const visitor = visitorOf();
      if (persisted || !visitor) return;
      const { userId, config } = visitor;
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
};
