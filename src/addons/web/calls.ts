import { map, merge, type Observable, type OperatorFunction, scan } from 'rxjs';

import { ownFields } from '../../hardening/ownFields';
import { json } from '../../hardening/plainJson';
import { withoutTrailingSlashes } from '../../model/clientContext';
import { addressParts } from '../../privacy/redactedUrl';
import type { AddonDeps } from '../addon';
import type { WebOptions } from './options';

/** A call of `permutive.addon('web', …)` or of `permutive.addons.web.reset()`. */
export interface Call {
  readonly options: WebOptions;
  /**
   * Where the page is and what the call says of it, as JSON. Nothing in the address is redacted, because two articles
   * may differ in nothing but an id; so the text stays in memory.
   */
  readonly said: string;
  /** The call begins a view; it otherwise gives the present view other options. */
  readonly begins: boolean;
}

/**
 * Decides which calls begin a view: the first, those that say another page or are made at another address, those after
 * the present view is over, and resets. The very same call, which frameworks make twice, is of the present view.
 */
export const viewCalls = (
  options$: Observable<WebOptions>,
  reset$: Observable<WebOptions>,
  { address, isViewOver }: Pick<AddonDeps, 'address' | 'isViewOver'>,
): Observable<Call> =>
  merge(options$.pipe(called(false)), reset$.pipe(called(true))).pipe(
    scan<Called, Call, Pick<Call, 'said'>>(
      (last, [options, isReset]) => {
        const { url = address() } = ownFields(options.context);
        const said = json.stringify([withoutTrailingSlashes(addressParts(url).join('#')), options.page]);
        return { options, said, begins: isReset || isViewOver() || said !== last.said };
      },
      { said: '' },
    ),
  );

type Called = readonly [options: WebOptions, isReset: boolean];
const called = (isReset: boolean): OperatorFunction<WebOptions, Called> => map((options) => [options, isReset]);
