import { metrics } from '../../src/endpoints/metrics';
import { reportErrors } from '../../src/endpoints/reportErrors';
import { reset } from '../../src/endpoints/reset';
import { tpdUsage } from '../../src/endpoints/tpdUsage';
import { type Route, served } from './served';

/** Calls that only tell something: `/requests` shows what. */
export const reportRoutes: readonly Route[] = [
  served(reset, () => undefined),
  served(metrics, () => undefined),
  served(reportErrors, () => 'OK'),
  served(tpdUsage, () => undefined),
];
