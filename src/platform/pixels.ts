import { catchError, defer, filter, map, merge, type ObservableInput, of, take, tap, timer } from 'rxjs';

import { privateFetch } from './http';
import type { Tools } from './platform';

/** A request that has not failed within this time was made. An answer may take longer. */
const failureMs = 1000;
/** The browser tells of a violation of the page's policy before the request fails, or within this time after. */
const violationMs = 1000;

/** What pixels are asked for with. */
interface PixelDeps extends Pick<Tools, 'listen' | 'newId'> {
  /** Makes a request of its own. Errors where no answer comes. */
  readonly fetchPixel: (url: string) => ObservableInput<unknown>;
  /** Asks for an image, and does not wait for it. */
  readonly loadImage: (url: string) => void;
}

/**
 * Requests pixels, as cold streams. Each request leaves, because a fetch without a cache does not take what the
 * document has loaded before, as an image does. A stream emits once: true as soon as the request counts as made, false
 * where it has failed.
 *
 * Publishers allow the hosts of pixels as images in the page's policy, and seldom for fetches. Where the policy has
 * refused a fetch, the pixels of that origin are asked for as images. An image has a parameter of its own, because the
 * document does not load an image of the same address twice.
 */
export const pixelRequests = ({ fetchPixel, loadImage, listen, newId }: PixelDeps): Tools['loadPixel'] => {
  // Kept for the document, because each attempt is a violation in the publisher's reports.
  const refusedOrigins = new Set<string | undefined>();
  const violation$ = listen('window', 'securitypolicyviolation').pipe(
    tap((event) => refusedOrigins.add(refusedOrigin(event as SecurityPolicyViolationEvent))),
  );
  return (url) => {
    const asImage$ = merge(of(undefined), violation$).pipe(
      filter(() => refusedOrigins.has(originOf(url))),
      map(() => {
        loadImage(`${url}${url.includes('?') ? '&' : '?'}cb=${newId()}`);
        return true;
      }),
    );
    const asFetch$ = merge(
      defer(() => fetchPixel(url)),
      timer(failureMs),
    ).pipe(
      map(() => true),
      catchError(() => timer(violationMs).pipe(map(() => false))),
    );
    return merge(asImage$, asFetch$).pipe(
      take(1),
      catchError(() => of(false)),
    );
  };
};

/** The origin that the page's policy lets nobody fetch from. A policy that only reports refuses nothing. */
const refusedOrigin = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent) =>
  effectiveDirective === 'connect-src' && disposition === 'enforce' ? originOf(blockedURI) : undefined;

/** Scheme and host of an address. */
const originOf = (url: string): string => url.split('/', 3).join('/');

/** Fetches a pixel as an image is fetched: with the host's cookies, through redirects, without CORS. */
export const pixelFetch =
  (fetch: typeof globalThis.fetch): PixelDeps['fetchPixel'] =>
  (url) =>
    privateFetch(fetch, url, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'include',
      redirect: 'follow',
      // The request goes on when the page is left.
      keepalive: true,
    });
