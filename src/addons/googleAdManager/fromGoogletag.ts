import type { Observable } from 'rxjs';

import type { AddonStreams } from '../addon';
import type { Googletag } from './googletag';

/** Google's tag may come later than we do: 200 tries of 10 ms (spec S§9). */
export const fromGoogletag = ({ fromTag }: Pick<AddonStreams, 'fromTag'>): Observable<Googletag> =>
  fromTag(() => ['googletag'], 'cmd', { everyMs: 10, times: 200 });
