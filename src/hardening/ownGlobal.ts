import { ownEntry } from './ownFields';

/**
 * A global that the browser or a script has made; undefined where there is none. An element with that name or id, or a
 * frame, counts for none: browsers show those as globals too, where there is no other of their name.
 */
export const ownGlobal = (window: object, name: string): unknown =>
  ownEntry(window as Readonly<Record<string, unknown>>, name);
