import type { Choice, StandIn } from './standIn';

/** OneTrust, whose object comes before its functions, and which counts as answered only after it has told of it. */
export const oneTrust = (): StandIn => {
  const page = window as unknown as {
    OneTrust: object;
    OnetrustActiveGroups: string;
    readonly OptanonWrapper?: () => void;
  };
  const groupsOf: Readonly<Record<Choice, readonly string[]>> = {
    all: ['C0001', 'C0002', 'C0003', 'C0004'],
    some: ['C0001', 'C0002'],
    none: ['C0001'],
  };
  let isClosed = false;
  const tell = (choice: Choice): void => {
    page.OnetrustActiveGroups = `,${groupsOf[choice].join(',')},`;
    page.OptanonWrapper?.();
    window.dispatchEvent(new CustomEvent('OneTrustGroupsUpdated', { detail: groupsOf[choice] }));
  };
  return {
    come: (stored, region) => {
      page.OneTrust = { geolocationResponse: { countryCode: 'DE' } };
      page.OneTrust = {
        IsAlertBoxClosed: () => isClosed,
        GetDomainData: () => ({ ShowAlertNotice: region !== 'free' }),
      };
      isClosed = stored !== null;
      // Before an answer, the groups are what the rule of the region allows.
      tell(stored ?? (region === 'asked' ? 'none' : 'all'));
    },
    choose: (choice) => {
      tell(choice);
      setTimeout(() => {
        isClosed = true;
        window.dispatchEvent(new CustomEvent('OTConsentApplied'));
      }, 100);
    },
  };
};
