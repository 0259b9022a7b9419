import { EMPTY } from 'rxjs';

import { type Json, NoJson } from '../../model/json';
import { type Overrides, overridesFromQuery, overridesFromStore } from '../../model/overrides';
import type { Report } from '../../model/report';
import { perform } from '../../operators/creators/perform';
import type { Page, TextStorage } from '../../platform/platform';
import type { Observer } from '../../world';

const overridesKey = '__permutiveConfigQueryParams';

/** What overrides of settings need. */
export interface TabOverridesDeps {
  readonly page: Pick<Page, 'url'>;
  readonly session: TextStorage;
}

/** Settings that this page's address overrides, over those that the tab has kept from earlier pages (spec C§5). */
export const tabOverrides = ({ page, session }: TabOverridesDeps, json: Json, report: Report): Overrides => {
  try {
    const stored = json.parse(session.read(overridesKey) ?? '{}');
    return {
      ...overridesFromStore(stored === NoJson ? {} : stored),
      ...overridesFromQuery(new URL(page.url()).search),
    };
  } catch (cause) {
    report('Failed to parse query params', cause);
    return {};
  }
};

/** Keeps them for the tab, once there is consent to store anything. */
export const keepOverrides = (
  overrides: Overrides,
  { session, json }: { readonly session: TextStorage; readonly json: Json },
): Observer => ({
  whileConsent: () => EMPTY,
  whileVisit: () =>
    Object.keys(overrides).length === 0 ? EMPTY : perform(() => session.write(overridesKey, json.stringify(overrides))),
});
