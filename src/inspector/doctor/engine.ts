import { filter, map, switchMap } from 'rxjs';

import { known, unknown } from '../../model/answered';
import { waitingText } from '../../model/explanation';
import type { Finding } from '../../model/finding';
import { sessionKeys } from '../../model/storageKeys';
import { askExplanation } from '../askExplanation';
import type { InspectedPage } from '../inspectedPage';
import { valueWithin } from './askPage';
import { findingsAt } from './finding';
import type { Resource } from './network';

const atWorker = findingsAt('worker');
const atStorage = findingsAt('storage');

/** A page that is well has evaluated its queries by then. In ms. */
const evaluationPatience = 5_000;
/** An engine that runs answers at once, and so does a page that knows that nobody can explain anything yet. In ms. */
const answerPatience = 500;
/** The page reads its journal and loads the deferred chunk first. In ms. */
const explanationPatience = 2_000;

/** Where the engine runs, and whether it does. */
export const engineFacts = async (
  { world, visit$ }: InspectedPage,
  resources: readonly Resource[],
  mayRun: boolean,
) => {
  const isEvaluated = mayRun
    ? await valueWithin(
        evaluationPatience,
        visit$.pipe(
          switchMap(({ cohorts$ }) => cohorts$),
          filter(({ isRealtime }) => isRealtime),
          map(() => true),
        ),
        false,
      )
    : undefined;
  // Whichever cohort is asked of, the page says what it cannot count yet.
  const explained = mayRun
    ? await valueWithin(explanationPatience, askExplanation('', world.calls, answerPatience), null)
    : null;
  return {
    /** Whether an earlier start in this tab had its worker refused. */
    isWorkerRefused: world.session.read(sessionKeys.workerRefused) !== null,
    /** Whether the engine for the page was loaded in place of the worker. */
    isOnPage: resources.some(({ name }) => name.includes(`/${world.project.workspaceId}-web.engine.`)),
    /** Whether the queries have been evaluated on this page; undefined where the SDK may not run. */
    isEvaluated,
    /** Whether that is so because the store has not answered. */
    isUnread: isEvaluated === false && explained?.isUnread === true,
    /** How many accepted events no engine of the visitor has counted. Nobody is asked where the SDK may not run. */
    waiting: explained?.waiting ?? (mayRun ? unknown : known(0)),
  };
};
type EngineFacts = Awaited<ReturnType<typeof engineFacts>>;

/** What is to be said of the engine. `violations`: what a policy of the page has refused. */
export const engineFindings = (
  { isWorkerRefused, isOnPage, isEvaluated, isUnread, waiting }: EngineFacts,
  { violations }: { readonly violations: readonly { readonly directive: string }[] },
): readonly Finding[] => {
  const uncounted = waitingText(waiting)?.slice(0, -1);
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
    ...atStorage.error(
      isUnread,
      "The visitor's history could not be read yet, so that the cohorts are those of the last page",
      'Look for another tab of the site that keeps IndexedDB busy, and for a slow or full disk. The history is read when the browser answers.',
    ),
    ...atWorker.error(
      isEvaluated === false && !isUnread,
      'The queries have not been evaluated on this page',
      'See that the files of the worker and the engine load. If they do, report it with the version of the SDK.',
    ),
    // Events that still wait for data are on every page.
    ...(isEvaluated === false ? atWorker.warning : atWorker.info)(
      uncounted !== undefined,
      uncounted ?? '',
      'The browser keeps them, and the next engine of the visitor counts them: on this page, or on a later one.',
    ),
  ];
};
