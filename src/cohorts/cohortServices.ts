import { connect, defer, endWith, merge, type Observable, take, timer } from 'rxjs';

import { countedHttp } from '../endpoints/countedHttp';
import type { ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { shareState } from '../operators/shareState';
import { advertiserCohorts } from './advertiserCohorts';
import { affinityCohorts } from './affinityCohorts';
import { ampMembership } from './ampMembership';
import { classificationCohorts } from './classificationCohorts';
import { pageDataLookups } from './pageDataLookups';
import { partnerKeysService } from './partnerKeys';
import { secureSignalService } from './secureSignal';
import { segmentSyncing } from './segmentSyncing';
import type { CohortService } from './service';
import { startup, startupEnd } from './startup';

/**
 * Runs all services, in the order of spec S§4. Each waits by itself for what it reads, and for nothing else. One that
 * throws is reported and ends; the others go on.
 */
export const cohortServices: CohortService = (streams, deps) => {
  const run = (name: string, service: CohortService, given = deps): Observable<ServiceOutput> =>
    defer(() => service(streams, given)).pipe(isolate(`Service ${name} stopped`, deps.report));
  // Start-up ends when none of its steps has a request under way.
  const { http, isIdle$ } = countedHttp(deps.http);
  const step = (name: string, service: CohortService): Observable<ServiceOutput> =>
    run(name, service, { ...deps, http });
  const ended$ = startupEnd(isIdle$, streams, deps);
  // Advertisers are asked with the standard cohorts that the page's affinity gives. A page without a Pageview has none.
  const affinity$ = step('affinity', affinityCohorts).pipe(shareState(streams.stop$));
  const affinityEnded$ = merge(affinity$.pipe(endWith(undefined)), timer(deps.setting('requestTimeout'))).pipe(take(1));
  return merge(
    run('pageData', pageDataLookups),
    affinity$,
    step('classificationModels', classificationCohorts),
    step('advertiser', advertiserCohorts(affinityEnded$)),
    run('partnerKeys', partnerKeysService),
    run('secureSignal', secureSignalService(ended$)),
    run('segmentSync', segmentSyncing),
    run('amp', ampMembership),
  ).pipe(connect((output$) => merge(output$, startup(ended$, output$, streams, deps))));
};
