import { defer, EMPTY, filter, ignoreElements, map, mergeMap, switchMap } from 'rxjs';

import { AnyString } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { partnerConsent } from '../../consent/partnerConsent';
import { Purposes, withConsent } from '../../model/tcf';
import { isolate } from '../../operators/isolate';
import { dayMs } from '../../primitives/duration';
import { isWithin } from '../../primitives/isWithin';
import { publicUrl } from '../../primitives/publicUrl';
import { onceRequested } from '../activations/onceRequested';
import type { Addon } from '../addon';

/** Name of the note that keeps the time of the last match, in ms since 1970 (spec S§3). */
const matchedName = 'addon:tradedesk';
/** The Trade Desk in the TCF vendor list (spec C§6). */
const tradeDeskVendor = 21;
/** The Trade Desk forgets a match, so it is made again after this time (spec S§9). */
const matchMs = dayMs;

/** What a page or project may give `permutive.addon('tradedesk', …)`. */
export const tradedeskOptions = optionsOf({
  /** The publisher's id at The Trade Desk. Without that id no pixel is loaded. */
  pid: [AnyString, ''],
  /** Address of the match pixel, without parameters. */
  pixel_url: [AnyString, 'https://match.adsrvr.org/track/cmf/generic'],
  /** Purposes of the TCF that it needs; undefined: 1, 3 and 4. */
  tcf_purposes: [Purposes, undefined],
});
export type TradedeskOptions = ReturnType<typeof tradedeskOptions>;

/**
 * Tells The Trade Desk which of its visitors is which of ours, by its match pixel (spec S§4, S§7): once the vendor has
 * consent, and again in the first view after 86,400 s.
 */
export const tradedesk: Addon<TradedeskOptions> = {
  name: 'tradedesk',
  autoInit: true,
  options: tradedeskOptions,
  run: (streams, options$, { recall, remember, now, visitor, loadPixel, report }) =>
    options$.pipe(
      // switchMap: another start replaces the one before. A visitor who was matched stays matched.
      switchMap((options) =>
        partnerConsent(streams, { vendorId: tradeDeskVendor, purposes: options.tcf_purposes }).pipe(
          switchMap(({ isGiven, tcf }) => (isGiven && tcf ? streams.view$.pipe(map(() => tcf)) : EMPTY)),
          filter(() => !isWithin(recall(matchedName), matchMs, now())),
          mergeMap((tcf) =>
            defer(() => {
              const address = matchAddress(options, visitor().userId);
              // Kept before the pixel is asked for, so that another tab does not ask too.
              remember(matchedName, now());
              return onceRequested(loadPixel(withConsent(address, tcf)), streams, () => remember(matchedName, null));
            }).pipe(ignoreElements(), isolate('Failed to match with The Trade Desk', report)),
          ),
        ),
      ),
    ),
};

const matchAddress = ({ pid, pixel_url }: TradedeskOptions, userId: string): string => {
  const url = publicUrl(pixel_url);
  if (url === undefined) throw new Error('pixel_url: expected an https address of a public host');
  if (pid === '') throw new Error('pid: expected the publisher’s id');
  url.searchParams.set('ttd_pid', pid);
  url.searchParams.set('ttd_tpi', '1');
  url.searchParams.set('ttd_puid', userId);
  return url.href;
};
