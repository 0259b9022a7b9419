import { unclobbered } from '../hardening/unclobbered';
import type { PageConfig } from './pageConfig';
import type { Permutive, TagCall } from './permutive';
import { stubs } from './stubs';

/** What a page is loaded with: its settings, and where the script is. */
export interface LoadConfig extends PageConfig {
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Address of the page script, `https://cdn.example/{workspaceId}-web.js`. Default: the script on `cdnBaseUrl`. */
  readonly src?: string;
  /** Hash of the page script, from `integrity.json` of its build. The browser then refuses any other script. */
  readonly integrity?: string;
  /** Nonce of the page's policy. */
  readonly nonce?: string;
}

/** The part of `window` that is used. */
interface PageWindow {
  permutive?: Permutive;
  readonly document: Document;
  readonly crypto?: { readonly randomUUID?: () => string };
}

/**
 * Does what the README's snippet does: makes `window.permutive`, whose calls wait until the SDK has loaded, and adds
 * the page script to the document. Returns that object. Where the page has one already, it is returned as it is and
 * nothing is loaded. A script that cannot be loaded leaves the calls in their queue.
 *
 * Call it in a browser; where pages are rendered on a server, call it from code that runs in the browser alone.
 */
export const load = (config: LoadConfig, page: PageWindow = window): Permutive => {
  if (page.permutive !== undefined) return page.permutive;
  const { src = defaultAddress(config), integrity, nonce, ...settings } = config;
  const permutive = newTag(page, settings);
  page.permutive = permutive;
  const document = unclobbered(page.document);
  const script = document.createElement('script');
  script.async = true;
  // The CDN learns the site and not the page, because the page's address may hold secrets.
  script.referrerPolicy = 'origin';
  if (integrity !== undefined) {
    script.integrity = integrity;
    script.crossOrigin = 'anonymous';
  }
  if (nonce !== undefined) script.nonce = nonce;
  script.src = src;
  document.head.append(script);
  return permutive;
};

const defaultAddress = ({ workspaceId, cdnProtocol = 'https', cdnBaseUrl = 'cdn.permutive.com' }: LoadConfig): string =>
  `${cdnProtocol}://${cdnBaseUrl}/${workspaceId}-web.js`;

/** The object that takes calls until the SDK has loaded. */
const newTag = ({ crypto }: PageWindow, settings: PageConfig): Permutive => {
  const q: TagCall[] = [];
  const viewId = crypto?.randomUUID?.();
  const config: PageConfig = { environment: 'production', ...(viewId !== undefined && { viewId }), ...settings };
  return { ...stubs((functionName, ...args) => void q.push({ functionName, arguments: args })), q, config };
};
