import { localKeys } from '../model/storageKeys';
import { guarded } from './guarded';
import { storedVisitor, type TagObject, tagObject } from './storedVisitor';

/**
 * The companion of the tag: a script that a publisher puts into the head, before any ad tag runs. The companion hands
 * the codes that the last page has stored to the project's ad tags, so that the first ad requests carry them, however
 * late the SDK comes. Consent, user and objections count as they do for the SDK. The companion sets no timer, sends no
 * request, and throws nothing into the page.
 *
 * @param tellTags - Puts a command on the queue of each ad tag.
 * @param more - What else is done with the tag.
 */
export const companion = (tellTags: () => void, more?: (tag: TagObject) => void): void =>
  guarded(() => {
    const tell = guarded(() => {
      // Prebid's modules read local storage by themselves, so what they must not read goes at once.
      storedVisitor();
      tellTags();
    });
    tell();
    // Each answer that the page gives before the SDK has come, and a refusal in another tab.
    const tag = tagObject();
    const { consent } = tag;
    tag.consent = (answer) => {
      consent(answer);
      tell();
    };
    more?.(tag);
    addEventListener('storage', (event) => {
      if (event.key === localKeys.consent && !/true/.test(event.newValue as string)) tell();
    });
  })();
