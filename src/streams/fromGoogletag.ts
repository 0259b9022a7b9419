import type { Observable } from 'rxjs';
import type { Googletag } from '../model/googletag';
import type { Page } from '../platform/platform';
import { fromTagQueue } from './fromTagQueue';

/** Google's tag may come later than we do: 200 tries of 10 ms (spec S§9). */
export const fromGoogletag = (page: Pick<Page, 'global'>): Observable<Googletag> => fromTagQueue(page, () => ['googletag'], 'cmd', { everyMs: 10, times: 200 });
