import type { Finding } from '../../model/finding';
import type { EngineFacts, Facts, FailedHost, NetworkFacts, Violation } from './facts';
import { findingsAt } from './finding';

const atNetwork = findingsAt('network');
const atWorker = findingsAt('worker');
const atPolicy = findingsAt('policy');
const atClock = findingsAt('clock');

/** Clocks are off by less than this without anybody's noticing. */
const clockTolerance = 60_000;

/** What is to be said of the engine, the page's policy and requests. */
export const networkFindings = ({ engine, network }: Facts): readonly Finding[] => [
  ...engineFindings(engine, network),
  ...network.violations.filter(({ directive }) => !directive.startsWith('worker-src')).flatMap(violationFindings),
  ...network.failed.flatMap(failureFindings),
  ...atNetwork.error(
    network.isChunkMissing,
    'The deferred chunk could not be loaded, so that only the first addons run',
    'Publish all files of a build together and before the page script, and allow their host in the policy.',
  ),
  ...atNetwork.warning(!network.isOnline, 'The browser has no network', 'Events wait until it has one.'),
  ...clockFindings(network),
];

const engineFindings = ({ isWorkerRefused, isOnPage, isEvaluated }: EngineFacts, { violations }: NetworkFacts) => {
  const isRefused = isWorkerRefused || violations.some(({ directive }) => directive.startsWith('worker-src'));
  return [
    ...atWorker.warning(
      isRefused,
      'The policy of the page refuses the worker, so that queries are evaluated on the page',
      'Add `worker-src blob:` to the Content-Security-Policy.',
    ),
    ...atWorker.warning(
      isOnPage && !isRefused,
      'The worker has failed, so that queries are evaluated on the page',
      'See in the network panel that the files of the worker load from the host of the bundle, with CORS.',
    ),
    ...atWorker.error(
      isEvaluated === false,
      'The queries have not been evaluated on this page',
      'See that the files of the worker and the engine load. If they do, report it with the version of the SDK.',
    ),
  ];
};

const violationFindings = ({ directive, blocked }: Violation): readonly Finding[] =>
  atPolicy.error(
    true,
    `The policy of the page refuses ${blocked} by ${directive}`,
    `Allow it in \`${directive}\` of the Content-Security-Policy.`,
  );

const failureFindings = ({ host, status }: FailedHost): readonly Finding[] =>
  status === 0
    ? atNetwork.error(
        true,
        `Requests to ${host} get no answer`,
        'Look for an ad blocker, a firewall or a wrong host in the settings `apiHost` and `cdnBaseUrl`. Events are kept until then.',
      )
    : atNetwork.warning(
        true,
        `Requests to ${host} are answered with status ${status}`,
        'See in the network panel which request it is: 401 and 403 mean a wrong `apiKey`, 404 a missing file, 429 and 5xx pass.',
      );

const clockFindings = ({ clockAhead = 0 }: NetworkFacts): readonly Finding[] =>
  atClock.warning(
    Math.abs(clockAhead) > clockTolerance,
    `The clock of this device is ${Math.round(Math.abs(clockAhead) / 1000)} s ${clockAhead > 0 ? 'ahead of' : 'behind'} the server’s`,
    'Set the clock. Events have the times of the device, so that sessions and cohorts by time differ.',
  );
