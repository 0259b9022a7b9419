import type { Choice, StandIn } from './standIn';

/** Cookiebot, which tells of a part of the categories as of an acceptance, and says nothing where nobody is asked. */
export const cookiebot = (): StandIn => {
  const page = window as unknown as { Cookiebot: object };
  const tell = (choice: Choice): void => {
    page.Cookiebot = {
      consent: {
        necessary: true,
        preferences: choice !== 'none',
        statistics: choice !== 'none',
        marketing: choice === 'all',
        method: 'explicit',
      },
      hasResponse: true,
    };
    document.cookie = `CookieConsent={marketing:${String(choice === 'all')}}; path=/`;
    window.dispatchEvent(new Event('CookiebotOnConsentReady'));
    window.dispatchEvent(new Event(choice === 'none' ? 'CookiebotOnDecline' : 'CookiebotOnAccept'));
  };
  return {
    come: (stored, region) => {
      if (stored !== null) return tell(stored);
      const isImplied = region === 'optOut';
      page.Cookiebot = {
        consent: { necessary: true, marketing: isImplied, method: isImplied ? 'implied' : null },
        hasResponse: false,
      };
      if (region === 'free') document.cookie = 'CookieConsent=-1; path=/';
      if (region !== 'asked') window.dispatchEvent(new Event('CookiebotOnConsentReady'));
    },
    choose: tell,
  };
};
