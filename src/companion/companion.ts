import { withVisitor } from './storedVisitor';

/** Tells one ad tag of the stored visitor. */
export type TellTag = () => void;

/**
 * The companion of the tag: a script that a publisher puts into the head, before any ad tag runs. The companion hands
 * the codes that the last page has stored to the project's ad tags, so that the first ad requests carry them, however
 * late the SDK comes. Consent, user and objections count as they do for the SDK. The companion sets no timer and sends
 * no request.
 */
export const companion = (tags: readonly TellTag[]): void => {
  // Prebid's modules read local storage by themselves, so what they must not read goes at once.
  withVisitor(() => undefined);
  for (const tell of tags) tell();
};
