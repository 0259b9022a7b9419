import { defer, merge, type Observable } from 'rxjs';

import type { ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { affinityCohorts } from './affinityCohorts';
import { providing } from './lookups';
import { pageDataLookups } from './pageDataLookups';
import { secondPartyData } from './secondPartyData';
import type { CohortService, ServiceDeps, ServiceStreams } from './service';
import { thirdPartyData } from './thirdPartyData';
import { thirdPartyUsage } from './thirdPartyUsage';
import { userData } from './userData';

/** All services by name, in the order of spec S§4. Each waits by itself for what it reads. */
const services: Readonly<Record<string, CohortService>> = {
  pageData: pageDataLookups,
  userData: providing('user', userData),
  secondPartyData: providing('secondParty', secondPartyData),
  thirdPartyData: providing('thirdParty', thirdPartyData),
  thirdPartyUsage,
  affinity: affinityCohorts,
};

/** Runs all services. One that throws is reported and ends; the others go on. */
export const cohortServices: CohortService = (streams: ServiceStreams, deps: ServiceDeps): Observable<ServiceOutput> =>
  merge(
    ...Object.entries(services).map(([name, service]) =>
      defer(() => service(streams, deps)).pipe(isolate(`Service ${name} stopped`, deps.report)),
    ),
  );
