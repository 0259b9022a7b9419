import type { Unclobbered } from '../hardening/unclobbered';
import { orNone } from '../primitives/orNone';

/** What the page says of the script that runs. */
export interface OwnScript {
  /** Address of its folder; undefined where the script has no web address, as when its text is in the page. */
  readonly base: string | undefined;
  readonly nonce: string;
  /**
   * Whether the page has pinned the script by its hash (`integrity`). Elsewhere, whoever can change a file of the
   * bundle can change the script too.
   */
  readonly isPinned: boolean;
}

/**
 * The script that runs. The browser knows it only until the first task of the script ends. The page's other scripts are
 * never looked at, because a visitor's comment may contain a script element that a policy has refused to run.
 */
export const ownScript = ({ currentScript }: Unclobbered<Document>): OwnScript => {
  if (!(currentScript instanceof HTMLScriptElement)) return { base: undefined, nonce: '', isPinned: false };
  const { src, nonce, integrity } = currentScript;
  return { base: folderOf(src), nonce, isPinned: integrity !== '' };
};

/** The folder of a web address; undefined where it is none. Calls no native that a page may have replaced. */
const folderOf = (address: string): string | undefined =>
  orNone(() => {
    const { protocol, href } = new URL('.', address);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  });
