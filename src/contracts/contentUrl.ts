import { withoutTrailingSlashes } from '../model/clientContext';
import type { Settings } from '../model/config';
import type { Event } from '../model/event';
import type { PageProject } from '../model/project';
import { contentUrl } from '../privacy/contentUrl';

/** The addresses of a visit's pages. */
export interface Addresses {
  /**
   * The address of the page of an event; without an event, of the page as it is in the present view. The address
   * has nothing redacted, so it is neither stored nor sent.
   */
  readonly addressOf: (event?: Event) => string;
}

export interface ContentUrlDeps {
  readonly setting: Settings;
  readonly project: Pick<PageProject, 'contentParameters'>;
}

/**
 * Finds the address that services which look at the page are asked with, for the page of an event; without an event,
 * for the page as it is in the present view. The address of the client context is redacted, so no page may be there.
 */
export const contentUrls =
  ({ addressOf }: Addresses, { setting, project: { contentParameters = [] } }: ContentUrlDeps) =>
  (event?: Event): string =>
    withoutTrailingSlashes(contentUrl(addressOf(event), contentParameters, setting('redactedParameters')));
