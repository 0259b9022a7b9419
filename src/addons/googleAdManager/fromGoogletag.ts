import type { Observable } from 'rxjs';

import type { AddonStreams } from '../addon';
import type { Googletag } from './googletag';

/**
 * Emits Google's tag once it has loaded. The tag may load after the SDK, so it is looked for 200 times, 10 ms apart
 * (spec S§9); then the stream errors with `PollError`.
 */
export const fromGoogletag = ({ fromTag }: Pick<AddonStreams, 'fromTag'>): Observable<Googletag> =>
  fromTag(() => ['googletag'], 'cmd', { everyMs: 10, times: 200 });
