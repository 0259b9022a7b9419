import { merge, type Observable } from 'rxjs';

import { cohortServices as services } from '../cohorts/cohortServices';
import type { ServiceDeps, ServiceStreams } from '../cohorts/service';
import type { ServiceOutput } from '../model/serviceOutput';
import { isolate } from '../operators/isolate';
import { type CodeEndsDeps, keepCodeEnds } from './codeEnds';

const name = 'codeEnds';

/** Runs the cohort services, and keeps until when the codes are true that they and addons store. */
export const cohortServices = (streams: ServiceStreams, deps: ServiceDeps & CodeEndsDeps): Observable<ServiceOutput> =>
  merge(
    // Codes that have ended are removed before anything is written.
    keepCodeEnds(streams, deps).pipe(isolate(`Service ${name} stopped`, deps.report)),
    services(streams, deps),
  );
