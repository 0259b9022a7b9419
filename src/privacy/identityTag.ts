import { ownEntry } from '../hardening/ownFields';

/** Priorities of the tags of the SDK itself, which no definition has to list (spec C§3, C§9). */
export const builtInPriorities: Readonly<Record<string, number>> = { default: 0, appnexus: 1, pxid: 1 };

/** Priority of a built-in tag; undefined for other tags. */
export const builtInPriority = (tag: string): number | undefined => ownEntry(builtInPriorities, tag);

/** Whether an id is an email address under a tag that does not say so. Such ids would be stored and sent in clear. */
export const isAddress = ({ tag, id }: { readonly tag: string; readonly id: string }): boolean =>
  tag !== 'email' && /[@＠]|%40/.test(id);

/** A tag without case and separators: pages write `email_md5` as `Email-MD5` too. */
export const plainTag = (tag: string): string => tag.toLowerCase().replace(/[^a-z\d]/g, '');
