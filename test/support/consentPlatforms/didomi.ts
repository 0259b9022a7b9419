import type { Choice, StandIn } from './standIn';

/**
 * Didomi, which says of a visitor who has not answered what it says of one who has refused. `isOld`: before it knew of
 * other laws than the GDPR.
 */
export const didomi = (isOld = false): StandIn => {
  type Listener = { readonly event: string; readonly listener: (context: object) => void };
  const page = window as unknown as {
    Didomi: object;
    didomiOnReady?: ((api: object) => void)[];
    didomiEventListeners?: Listener[];
  };
  const purposesOf: Readonly<Record<Choice, readonly string[]>> = {
    all: ['cookies', 'create_ads_profile', 'select_personalized_ads', 'measure_ad_performance'],
    some: ['cookies', 'measure_ad_performance'],
    none: [],
  };
  /** Under other laws, the visitor objects to uses that have names of their own. */
  const objectedTo: Readonly<Record<Choice, readonly string[]>> = {
    all: ['sale', 'sharing'],
    some: ['sharing'],
    none: [],
  };
  let choice: Choice | null = null;
  return {
    come: (stored, region) => {
      choice = stored;
      const regulation = { asked: 'gdpr', free: 'none', optOut: 'cpra' }[region];
      const enabledIds = (): readonly string[] => {
        if (region === 'optOut') return objectedTo[choice ?? 'all'];
        return choice === null ? [] : purposesOf[choice];
      };
      const isAsking = (): boolean => region !== 'free' && choice === null;
      page.Didomi = {
        getCurrentUserStatus: () => ({
          ...(!isOld && { regulation }),
          created: '2026-11-29T10:00:00.000Z',
          purposes: Object.fromEntries(
            (region === 'optOut' ? objectedTo : purposesOf).all.map((id) => [
              id,
              { id, enabled: enabledIds().includes(id) },
            ]),
          ),
          vendors: {},
        }),
        isConsentRequired: () => region === 'asked',
        shouldConsentBeCollected: isAsking,
        ...(!isOld && { shouldUserStatusBeCollected: isAsking }),
      };
      const waiting = page.didomiOnReady ?? [];
      page.didomiOnReady = waiting;
      waiting.push = (...calls) => {
        for (const call of calls) call(page.Didomi);
        return 0;
      };
      for (const call of waiting) call(page.Didomi);
    },
    choose: (chosen) => {
      choice = chosen;
      for (const { event, listener } of page.didomiEventListeners ?? []) if (event === 'consent.changed') listener({});
    },
  };
};
