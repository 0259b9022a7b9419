import type { Choice, StandIn } from './standIn';

/** Usercentrics, version 3, whose answers to questions come late, with the state of the moment of the question. */
export const usercentrics = (): StandIn => {
  const page = window as unknown as { __ucCmp: object };
  let details: object = {};
  let isInitialized = false;
  const soon = (run: () => void): void => void setTimeout(run, 200);
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => soon(() => resolve(value)));
  const detailsOf = (choice: Choice, consent: object): object => ({
    consent: {
      status: { all: 'ALL_ACCEPTED', some: 'SOME_ACCEPTED', none: 'ALL_DENIED' }[choice],
      setting: { id: 'x', type: 'GDPR', version: '1' },
      ...consent,
    },
    services: {},
    categories: {
      essential: { essential: true, state: 'ALL_ACCEPTED', dps: null },
      marketing: {
        state: { all: 'ALL_ACCEPTED', some: 'SOME_ACCEPTED', none: 'ALL_DENIED' }[choice],
        dps: { ads: choice !== 'none', social: choice === 'all' },
      },
    },
  });
  const answered = (choice: Choice): object => detailsOf(choice, { type: 'EXPLICIT', required: false });
  return {
    come: (stored, region) => {
      const byRegion = {
        // Services may be on by default, which is no answer.
        asked: () => detailsOf('all', { type: 'IMPLICIT', required: true }),
        free: () => detailsOf('none', { type: 'IMPLICIT', required: false, isOutsideEu: true }),
        optOut: () => detailsOf('all', { type: 'IMPLICIT', required: false }),
      };
      details = stored === null ? byRegion[region]() : answered(stored);
      page.__ucCmp = {
        isInitialized: () => Promise.resolve(isInitialized),
        // Before, the platform does not know yet what is required.
        getConsentDetails: () => later(isInitialized ? details : byRegion.optOut()),
      };
      setTimeout(() => {
        isInitialized = true;
        window.dispatchEvent(new CustomEvent('UC_UI_INITIALIZED'));
      }, 1000);
    },
    choose: (choice) => {
      details = answered(choice);
      window.dispatchEvent(new CustomEvent('UC_CONSENT', { detail: details }));
    },
  };
};
