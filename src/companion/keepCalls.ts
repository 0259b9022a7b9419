import { leaveToNext } from './leaveToNext';
import { cookie, storedVisitor, type TagObject } from './storedVisitor';

/** Leaves the queue of a page to the next page, until the page script has taken the tag. */
export const keepCalls = (tag: TagObject): void =>
  leaveToNext(tag, () => (tag.version === undefined ? storedVisitor() : undefined), cookie);
