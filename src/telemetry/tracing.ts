import { defer, EMPTY, ignoreElements, map, merge, tap } from 'rxjs';

import type { Observer } from '../api/observer';
import type { Page, Tools } from '../platform/platform';

export interface TracingDeps extends Pick<Tools, 'setting'> {
  readonly page: Pick<Page, 'mark'>;
}

/**
 * With the setting `tracingEnabled`, marks stages, events and transitions in the browser's performance timeline, with
 * names such as `permutive:realtime` and `permutive:event Pageview`. The setting is read when a visit starts.
 */
export const tracing = ({ setting, page }: TracingDeps): Observer => ({
  whileConsent: () => EMPTY,
  whileVisit: ({ stage$, event$, transition$ }) =>
    defer(() =>
      setting('tracingEnabled')
        ? merge(
            stage$,
            event$.pipe(map(({ name }) => `event ${name}`)),
            transition$.pipe(map(({ id, entry }) => `${entry ? 'entry' : 'exit'} ${id}`)),
          ).pipe(
            tap((name) => page.mark(`permutive:${name}`)),
            ignoreElements(),
          )
        : EMPTY,
    ),
});
