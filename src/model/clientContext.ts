import packageJson from '../../package.json';
import { cappedText } from '../hardening/cappedText';
import { ownFields } from '../hardening/ownFields';
import { registrableDomain } from '../primitives/domain';
import { withoutAddresses } from '../privacy/personal';
import { redactedUrl } from '../privacy/redactedUrl';
import type { ClientContext, Event } from './event';

/** Version of the SDK, with the `v` that the server expects (spec C§1). */
export const sdkVersion = `v${packageJson.version}`;

/** The url without slashes at its end (spec C§2). */
export const withoutTrailingSlashes = (url: string): string => {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
};

/** What the page says of itself at the moment of each call. */
export interface PageFacts {
  readonly url: () => string;
  /** Without the port. */
  readonly host: () => string;
  readonly title: () => string;
  readonly referrer: () => string;
  readonly userAgent: () => string;
}

/**
 * The client context of this moment (spec C§3). What the publisher gave for the view (`given`) wins over what the page
 * says. `type` is the kind of SDK, such as `web`. `redacted`: query parameters whose values are not told.
 */
export const clientContext = (
  page: PageFacts,
  type: string,
  given: { readonly [Name in keyof ClientContext]?: ClientContext[Name] | undefined },
  redacted: readonly string[],
): ClientContext => {
  const { title = page.title(), url = page.url(), referrer = page.referrer() } = ownFields(given);
  return {
    type: cappedText(type),
    user_agent: `${cappedText(page.userAgent())} PermutiveWebSDK/${sdkVersion}`,
    domain: cappedText(registrableDomain(page.host())),
    title: cappedText(withoutAddresses(cappedText(title))),
    // Cut after the redaction too, because a `*` in the place of nothing makes an address longer.
    url: cappedText(withoutTrailingSlashes(redactedUrl(url, redacted))),
    referrer: cappedText(withoutTrailingSlashes(redactedUrl(referrer, redacted))),
  };
};

/** The client context of an event. */
export const clientOf = ({ properties }: Pick<Event, 'properties'>): ClientContext =>
  properties['client'] as ClientContext;
