import { map, of } from 'rxjs';

import { AnyString } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { poll } from '../../operators/creators/poll';
import { partnerFields, segmentPartner, type Signal } from './segmentPartner';

export const gigyaOptions = optionsOf({
  ...partnerFields,
  /** Name of the field of the account's custom data that holds the segments. The publisher's schema must have it. */
  data_field: [AnyString, 'permutive_segments'],
});

/** The part of Gigya's web SDK that is used, by its documented names. */
interface Gigya {
  readonly accounts: { readonly setAccountInfo: (info: { readonly data: object }) => unknown };
}

/**
 * Keeps in the account of a visitor who is logged in with Gigya (SAP Customer Data Cloud) which segments the visitor is
 * in: `gigya.accounts.setAccountInfo({ data: { [data_field]: { [segment]: true } } })`, and false after an exit. Other
 * fields of the account stay as they are.
 */
export const gigya = segmentPartner({
  name: 'gigya',
  options: gigyaOptions,
  reach: ({ data_field }, { global }) => {
    const found = (): Gigya | undefined => {
      const candidate = global('gigya');
      return isGigya(candidate) ? candidate : undefined;
    };
    return poll(found).pipe(
      map((first) => ({ segment, entered }: Signal) => {
        (found() ?? first).accounts.setAccountInfo({ data: { [data_field]: { [segment]: entered } } });
        return of(true);
      }),
    );
  },
});

const isGigya = (global: unknown): global is Gigya =>
  typeof (global as Partial<Gigya> | null | undefined)?.accounts?.setAccountInfo === 'function';
