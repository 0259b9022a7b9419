import { pxid } from '../../src/endpoints/pxid';
import { secureSignal } from '../../src/endpoints/secureSignal';
import { segmentSync } from '../../src/endpoints/segmentSync';
import { hexOf } from './hash';
import { type Route, served } from './served';

const sixMonthsInSeconds = 15_770_000;

/** Signals of the reference API hold for a day. */
const signalSeconds = 86_400;

export const partnerRoutes: readonly Route[] = [
  served(segmentSync, () => undefined),
  // A stand-in for a sealed signal: nobody can read the visitor out of it.
  served(secureSignal, ({ body: { user_id, cohorts } }) => ({
    signal: hexOf([user_id, ...cohorts].join()),
    expires_in: signalSeconds,
  })),
  // The id is in a cookie of this host. A browser without it gets an id made of its address and user agent.
  served(pxid, ({ headers, address, answerHeaders }) => {
    const known = /(?:^|;\s*)pxid=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1];
    const id = known ?? hexOf(`${address} ${headers.get('user-agent') ?? ''}`).slice(0, 32);
    answerHeaders.set('set-cookie', `pxid=${id}; Path=/; Max-Age=${sixMonthsInSeconds}; SameSite=None; Secure`);
    return { pxid: id };
  }),
];
