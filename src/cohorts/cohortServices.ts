import { defer, map, merge, type Observable, take, timer } from 'rxjs';

import type { Produced, ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { shareState } from '../operators/shareState';
import { advertiserCohorts } from './advertiserCohorts';
import { affinityCohorts } from './affinityCohorts';
import { ampMembership } from './ampMembership';
import { classificationCohorts } from './classificationCohorts';
import { lastPageCohorts } from './lastPageCohorts';
import { providing } from './lookups';
import { pageDataLookups } from './pageDataLookups';
import { partnerKeysService } from './partnerKeys';
import { secondPartyData } from './secondPartyData';
import { segmentSyncing } from './segmentSyncing';
import type { CohortService, ServiceDeps } from './service';
import { thirdPartyData } from './thirdPartyData';
import { thirdPartyUsage } from './thirdPartyUsage';
import { userData } from './userData';

/**
 * Runs all services, in the order of spec S§4. Each waits by itself for what it reads, and for nothing else. One that
 * throws is reported and ends; the others go on.
 */
export const cohortServices: CohortService = (streams, deps) => {
  const run = (name: string, service: CohortService): Observable<ServiceOutput> =>
    defer(() => service(streams, deps)).pipe(
      map((output) => (output.type === 'produced' ? dated(output, deps) : output)),
      isolate(`Service ${name} stopped`, deps.report),
    );
  // Advertisers are asked with the standard cohorts that the page's affinity gives. A page without a Pageview has none.
  const affinity$ = run('affinity', affinityCohorts).pipe(shareState(streams.stop$));
  const affinityEnded$ = merge(affinity$, timer(deps.setting('requestTimeout'))).pipe(take(1));
  return merge(
    run('lastPage', lastPageCohorts),
    run('pageData', pageDataLookups),
    run('userData', providing('user', userData)),
    run('secondPartyData', providing('secondParty', secondPartyData)),
    run('thirdPartyData', providing('thirdParty', thirdPartyData)),
    run('thirdPartyUsage', thirdPartyUsage),
    affinity$,
    run('classificationModels', classificationCohorts),
    run('advertiser', advertiserCohorts(affinityEnded$)),
    run('partnerKeys', partnerKeysService),
    run('segmentSync', segmentSyncing),
    run('amp', ampMembership),
  );
};

/** The reasons with the time from which they hold. */
const dated = (output: Produced, { now }: Pick<ServiceDeps, 'now'>): Produced => {
  const time = new Date(now()).toISOString();
  return {
    ...output,
    reasons: Object.fromEntries(Object.entries(output.reasons).map(([id, why]) => [id, `${why} As of ${time}.`])),
  };
};
