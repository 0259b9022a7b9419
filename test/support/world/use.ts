/** One use that a page has made of the browser: what it has asked, stored, removed or told. */
export type Use =
  | { readonly door: 'request'; readonly url: string; readonly body: string | undefined }
  | { readonly door: 'pixel'; readonly url: string }
  | { readonly door: 'local' | 'session'; readonly key: string; readonly text: string | null; readonly had: boolean }
  | { readonly door: 'cookie'; readonly key: string; readonly text: string | null; readonly had: boolean }
  | { readonly door: 'journal'; readonly key: string; readonly text: string | null; readonly had: boolean }
  | { readonly door: 'store'; readonly key: string; readonly text: string | null; readonly had: boolean }
  | { readonly door: 'google'; readonly key: string; readonly text: string | readonly string[] | null };
