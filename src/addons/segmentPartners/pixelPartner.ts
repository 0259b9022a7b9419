import { defer, of } from 'rxjs';

import { AnyString, type Codec, value } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { ownFields } from '../../hardening/ownFields';
import { withConsent } from '../../model/tcf';
import { publicUrl } from '../../primitives/publicUrl';
import type { Addon, AddonDeps } from '../addon';
import { partnerFields, segmentPartner, settingOf, type Signal } from './segmentPartner';

const PartnerId: Codec<string | number> = value('string or number', (input) =>
  ['string', 'number'].includes(typeof input),
);

/** Options of a partner that is told by pixels. */
export const pixelOptions = (pixelUrl: string) =>
  optionsOf({
    ...partnerFields,
    /**
     * Address of the pixel. `{{segment}}` stands for the segment, which is followed by `_exit` where it was left;
     * `{{segments}}` for all segments of the visitor at this partner, with commas; `{{user_id}}` for the visitor's id;
     * any other name for the text of that name in `c` or `wc` of the activation, else for the option of that name.
     */
    pixel_url: [AnyString, pixelUrl],
    /** The publisher's id at the partner, where the partner's address has it. */
    pid: [PartnerId, ''],
    client_id: [PartnerId, ''],
  });
export type PixelOptions = ReturnType<ReturnType<typeof pixelOptions>>;

/** A partner that is told by pixels. */
interface PixelPartner extends Pick<Addon<PixelOptions>, 'name'> {
  readonly note?: string;
  readonly vendorId: number;
  /** The partner's address in public; empty: only the publisher knows it. */
  readonly pixelUrl: string;
}

/** Makes an addon for a partner that is told by pixels. The pixels carry the visitor's consent (spec S§7). */
export const pixelPartner = ({ pixelUrl, ...partner }: PixelPartner): Addon<PixelOptions> =>
  segmentPartner({
    ...partner,
    options: pixelOptions(pixelUrl),
    reach: (options, deps) =>
      defer(() => {
        // A partner without an address can be told nothing, so nothing counts as told.
        checkedUrl(options.pixel_url.replace(placeholder, 'x'));
        return of((signal: Signal) => deps.loadPixel(pixelAddress(signal, options, deps)));
      }),
  });

const placeholder = /\{\{(\w+)\}\}/g;

const pixelAddress = (signal: Signal, options: PixelOptions, { visitor }: AddonDeps): string => {
  const { activation, entered, segment, segments, tcf } = signal;
  const known = ownFields<Readonly<Record<string, string>>>({
    segment: entered ? segment : `${segment}_exit`,
    segments: segments.join(),
    user_id: visitor().userId,
  });
  const filled = options.pixel_url.replace(placeholder, (_, field: string) => {
    const option = ownFields<Readonly<Record<string, unknown>>>({ ...options })[field] as string | number | undefined;
    const text = known[field] ?? settingOf(activation, field) ?? String(option ?? '');
    if (text === '' && field !== 'segments') throw new Error(`pixel_url: expected a value for {{${field}}}`);
    return encodeURIComponent(text);
  });
  const url = checkedUrl(filled);
  return tcf === undefined ? url : withConsent(url, tcf);
};

const checkedUrl = (text: string): string => {
  const url = publicUrl(text);
  if (url === undefined) throw new Error('pixel_url: expected an https address of a public host');
  return url.href;
};
