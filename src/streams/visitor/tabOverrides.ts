import { EMPTY, type Observable } from 'rxjs';

import { type Json, NoJson } from '../../hardening/json';
import type { Settings } from '../../model/config';
import { sessionKeys } from '../../model/storageKeys';
import { perform } from '../../operators/creators/perform';
import type { Page, Tools } from '../../platform/platform';
import { type Overrides, overridesFromQuery, overridesFromStore } from './overrides';

/** Acts once a visit starts. */
interface Keeper {
  readonly whileConsent: () => Observable<never>;
  readonly whileVisit: () => Observable<never>;
}

/** What an address or a tab overrides, and who keeps that for the tab's next pages. */
export interface Overriding {
  readonly overrides: Overrides;
  readonly observers: readonly Keeper[];
}

/** Reads what address and tab override. `given`: the settings of page and project. */
export type ReadOverrides = (deps: TabOverridesDeps & Pick<Tools, 'json' | 'report'>, given: Settings) => Overriding;

const overridesKey = sessionKeys.overrides;
/** Names of this machine. */
const localHost = /(^|\.)localhost$|^127\.0\.0\.1$/;

export interface TabOverridesDeps extends Pick<Tools, 'session'> {
  readonly page: Pick<Page, 'url' | 'isEmbedded'>;
}

/**
 * Settings that this page's address overrides, over those that the tab has kept from earlier pages (spec C§5). Nothing
 * is overridden where the address cannot be parsed; that is reported. Nothing is overridden in a frame of another site
 * either, which can choose the address without the visitor's doing. Does not store anything.
 *
 * An address opens the inspector only on this machine, or where `given`, the settings of page and project, allow it.
 */
export const tabOverrides = (
  { page, session }: TabOverridesDeps,
  json: Json,
  report: Tools['report'],
  given: Settings,
): Overrides => {
  if (page.isEmbedded()) return {};
  try {
    const stored = json.parse(session.read(overridesKey) ?? '{}');
    if (stored === NoJson) report('Failed to parse query params');
    const { search, hostname } = new URL(page.url());
    const { inspector, ...others } = overridesFromQuery(search);
    const isOpened = inspector && (given('inspectorByLink') || given('loggingEnabled') || localHost.test(hostname));
    return { ...overridesFromStore(stored), ...others, ...(isOpened && { inspector }) };
  } catch (cause) {
    report('Failed to parse query params', cause);
    return {};
  }
};

/**
 * Keeps the overrides in session storage, so that they apply to the tab's next pages. The overrides are stored only
 * once a visit starts, because nothing may be stored without consent.
 */
export const keepOverrides = (overrides: Overrides, { session, json }: Pick<Tools, 'session' | 'json'>): Keeper => ({
  whileConsent: () => EMPTY,
  whileVisit: () =>
    Object.keys(overrides).length === 0 ? EMPTY : perform(() => session.write(overridesKey, json.stringify(overrides))),
});

export const overriding: ReadOverrides = (deps, given) => {
  const overrides = tabOverrides(deps, deps.json, deps.report, given);
  return { overrides, observers: [keepOverrides(overrides, deps)] };
};
