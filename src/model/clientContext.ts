import packageJson from '../../package.json';
import { registrableDomain } from './domain';
import type { ClientContext } from './event';

/** Version of the SDK, with the `v` that the server expects (spec C§1). */
export const sdkVersion = `v${packageJson.version}`;

/** Urls are kept without trailing slashes (spec C§2). */
export const withoutTrailingSlashes = (url: string): string => {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
};

export interface PageFacts {
  readonly url: () => string;
  readonly host: () => string;
  readonly title: () => string;
  readonly referrer: () => string;
  readonly userAgent: () => string;
}

/** The client context of this moment; what the publisher gave for the view wins (spec C§3). */
export const clientContext = (page: PageFacts, type: string, given: Partial<ClientContext>): ClientContext => ({
  type,
  user_agent: `${page.userAgent()} PermutiveWebSDK/${sdkVersion}`,
  domain: registrableDomain(page.host()),
  title: given.title ?? page.title(),
  url: withoutTrailingSlashes(given.url ?? page.url()),
  referrer: withoutTrailingSlashes(given.referrer ?? page.referrer()),
});
