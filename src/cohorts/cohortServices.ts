import { connect, defer, endWith, map, merge, type Observable, share, take, timer } from 'rxjs';

import { countedHttp } from '../endpoints/countedHttp';
import { lateFailures } from '../endpoints/lateFailures';
import type { Produced, ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { shareState } from '../operators/shareState';
import { isoText } from '../primitives/isoDate';
import { advertiserCohorts } from './advertiserCohorts';
import { affinityCohorts } from './affinityCohorts';
import { ampMembership } from './ampMembership';
import { maxGiven } from './boundedCodes';
import { classificationCohorts } from './classificationCohorts';
import { cohortStoreService } from './cohortStore';
import { contextualCohorts } from './contextualCohorts';
import { heldForPartners } from './heldForPartners';
import { lastPageCohorts } from './lastPageCohorts';
import { lateValues } from './lateValues';
import { lookalikeUpdates } from './lookalikeUpdates';
import { providing } from './lookups';
import { pageDataLookups } from './pageDataLookups';
import { partnerKeysService } from './partnerKeys';
import { secondPartyData } from './secondPartyData';
import { secureSignalService } from './secureSignal';
import { segmentSyncing } from './segmentSyncing';
import type { CohortService, ServiceDeps } from './service';
import { startup, startupEnd } from './startup';
import { thirdPartyData } from './thirdPartyData';
import { thirdPartyUsage } from './thirdPartyUsage';
import { userData } from './userData';
import { viewClient } from './viewClient';

/**
 * Runs all services, in the order of spec S§4. Each waits by itself for what it reads, and for nothing else. One that
 * throws is reported and ends; the others go on.
 */
export const cohortServices: CohortService = (streams, visitDeps) => {
  const { local, http: visitHttp } = visitDeps;
  const { clearing$, ...writer } = heldForPartners(local, streams.sharing$);
  // A request that ends because the page goes begins no pause of its service.
  const deps = { ...visitDeps, local: { ...local, ...writer }, http: lateFailures(visitHttp) };
  /** What the page and partners hear. */
  const told = visitDeps.experiment.told(streams, streams.context);
  const run = (name: string, service: CohortService, given = deps, heard = streams): Observable<ServiceOutput> =>
    defer(() => service(heard, given)).pipe(
      map((output) => (output.type === 'produced' ? dated(bounded(output, deps), deps) : output)),
      isolate(`Service ${name} stopped`, deps.report),
    );
  // Start-up ends when none of its steps has a request under way.
  const { http, isIdle$ } = countedHttp(deps.http);
  const step = (name: string, service: CohortService): Observable<ServiceOutput> =>
    run(name, service, { ...deps, http });
  const tell = (name: string, service: CohortService): Observable<ServiceOutput> => run(name, service, deps, told);
  // Advertisers are asked with the standard cohorts that the page's affinity gives. A page without a Pageview has none.
  const affinity$ = step('affinity', affinityCohorts).pipe(shareState(streams.stop$));
  const affinityEnded$ = merge(affinity$.pipe(endWith(undefined)), timer(deps.setting('requestTimeout'))).pipe(take(1));
  return merge(
    // First, so that what services write at once is written where it is allowed.
    clearing$,
    run('lastPage', lastPageCohorts),
    run('viewClient', viewClient),
    run('pageData', pageDataLookups),
    run('lateValues', lateValues),
    run('userData', providing('user', userData)),
    run('secondPartyData', providing('secondParty', secondPartyData)),
    step('thirdPartyData', providing('thirdParty', thirdPartyData)),
    run('thirdPartyUsage', thirdPartyUsage),
    run('lookalikeUpdates', lookalikeUpdates),
    affinity$,
    step('classificationModels', classificationCohorts),
    run('contextual', contextualCohorts),
    step('advertiser', advertiserCohorts(affinityEnded$)),
    tell('partnerKeys', partnerKeysService),
    tell('cohortStore', cohortStoreService),
    tell('segmentSync', segmentSyncing),
    tell('amp', ampMembership),
  ).pipe(
    connect((output$) => {
      const ended$ = startupEnd(isIdle$, output$, streams, deps);
      const signal$ = tell('secureSignal', secureSignalService(ended$)).pipe(share());
      return merge(startup(ended$, merge(output$, signal$), told, deps), output$, signal$);
    }),
  );
};

/** The first cohorts, as many as a service may give. Further cohorts are reported. */
const bounded = (output: Produced, { report }: Pick<ServiceDeps, 'report'>): Produced => {
  const { producer, cohorts } = output;
  if (cohorts.length <= maxGiven) return output;
  report('A service has given too many cohorts', new Error(`${producer}: expected ${maxGiven} at most`));
  return { ...output, cohorts: cohorts.slice(0, maxGiven) };
};

/** The reasons with the time from which they hold. */
const dated = (output: Produced, { now }: Pick<ServiceDeps, 'now'>): Produced => {
  const time = isoText(now());
  return {
    ...output,
    reasons: Object.fromEntries(Object.entries(output.reasons).map(([id, why]) => [id, `${why} As of ${time}.`])),
  };
};
