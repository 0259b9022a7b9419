import type { TagState } from './tagState';
import { targetingOf } from './targeting';

/**
 * Changes the settings of the page that are named. Those of one feature replace each other as a whole, save for
 * targeting, which is merged. Single requests and the initial load are set before the services are enabled.
 */
export const setPageConfig = (config: googletag.config.PageSettingsConfig, state: TagState): void => {
  const { targeting, safeFrame, collapseDiv, lazyLoad, singleRequest, disableInitialLoad } = config;
  if (targeting !== undefined) state.targeting.merge(targeting);
  if (safeFrame !== undefined) state.safeFrame = { ...safeFrame };
  if (collapseDiv !== undefined) state.collapseDiv = collapseDiv;
  if (lazyLoad !== undefined) state.lazyLoad = lazyLoad && { ...lazyLoad };
  if (singleRequest !== undefined)
    beforeEnabled('singleRequest', state, () => (state.isSingleRequest = singleRequest === true));
  if (disableInitialLoad !== undefined)
    beforeEnabled('disableInitialLoad', state, () => (state.isInitialLoadDisabled = disableInitialLoad === true));
};

/** Changes a setting, and says whether there was still time for that. */
export const beforeEnabled = (name: string, { isEnabled, messages }: TagState, change: () => unknown): boolean => {
  if (isEnabled) messages.warn(`${name} has no effect after enableServices`);
  else change();
  return !isEnabled;
};

/** Google documents that these settings alone can be read, in a frozen copy. */
export const pageConfig = (
  keys: string | readonly string[],
  state: TagState,
): Readonly<Pick<googletag.config.PageSettingsConfig, 'disableInitialLoad' | 'targeting'>> => {
  const wanted = [keys].flat();
  return Object.freeze({
    ...(wanted.includes('targeting') && targetingOf(state.targeting)),
    ...(wanted.includes('disableInitialLoad') && { disableInitialLoad: state.isInitialLoadDisabled }),
  });
};
