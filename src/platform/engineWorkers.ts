import { ownFields } from '../hardening/ownFields';
import { sessionKeys } from '../model/storageKeys';
import { orNone } from '../primitives/orNone';

/** A worker that runs the engine. */
export interface OpenedWorker {
  readonly worker: Worker;
  /** What the worker has failed with while nobody listened to it. */
  failure: Error | undefined;
  /** Called when the worker has answered. A worker that answers was not refused. */
  readonly answered: () => void;
}

/** The engine's workers, of which one may be opened before there is a visit. */
export interface EngineWorkers {
  /**
   * Answers the worker that waits for a visit, or opens one. Throws where the browser or the page's policy refuses it,
   * or where the tab knows that the policy does.
   */
  readonly open: () => OpenedWorker;
  /** Opens a worker that waits for a visit and loads its files meanwhile. The worker does nothing else until then. */
  readonly prepare: () => void;
  /** Ends the worker that waits, where there is one. */
  readonly close: () => void;
}

export interface EngineWorkersDeps {
  readonly openWorker: () => Worker;
  /** Keeps a refusal by the page's policy for the later pages of the tab. Throws where the page has none. */
  readonly session: () => Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Opens the engine's workers. Where the page's policy has refused one, the later pages of the tab do not ask for one,
 * because each attempt is a violation in the publisher's reports.
 */
export const engineWorkers = ({ openWorker, session }: EngineWorkersDeps): EngineWorkers => {
  let take: (() => OpenedWorker) | undefined;
  let isRefused = false;
  const knowsRefusal = (): boolean => isRefused || orNone(() => session().getItem(sessionKeys.workerRefused)) != null;

  // The worker's own failure does not tell of a policy, because a file that did not load fails alike, and some browsers
  // tell of the violation later than of the failure.
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    if (!isWorkerRefusal(event)) return;
    isRefused = true;
    orNone(() => session().setItem(sessionKeys.workerRefused, '1'));
  };
  const options = ownFields({ passive: true, capture: true });
  const ignoreViolations = (): void => removeEventListener('securitypolicyviolation', onViolation, options);

  const start = (): OpenedWorker => {
    if (knowsRefusal()) throw new Error('refused on an earlier page');
    addEventListener('securitypolicyviolation', onViolation, options);
    const worker = openWorker();
    const opened: OpenedWorker = { worker, failure: undefined, answered: ignoreViolations };
    worker.onerror = (event) => {
      // Keeps the error from the page's own onerror.
      event.preventDefault();
      // The event of a worker that was refused has no message.
      opened.failure = new Error(event.message);
    };
    return opened;
  };
  return {
    open: () => {
      const taken = take ?? start;
      take = undefined;
      return taken();
    },
    prepare: () => {
      try {
        const opened = start();
        take = () => opened;
      } catch (error) {
        // Thrown again in `open`. Another attempt would be another violation.
        take = () => {
          throw error;
        };
      }
    },
    close: () => {
      orNone(() => take?.().worker.terminate());
      take = undefined;
      ignoreViolations();
    },
  };
};

/**
 * Whether a worker from a Blob was refused. A policy that only reports lets the worker run, so its violations do not
 * count.
 */
const isWorkerRefusal = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent): boolean =>
  effectiveDirective === 'worker-src' && disposition === 'enforce' && /^blob/.test(blockedURI);
