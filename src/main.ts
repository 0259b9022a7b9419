import './mainDoor';

import { addons, deferredAddons, experiment, project } from '@project/page';
import { map, type ObservableInput, race, switchMap, take, tap } from 'rxjs';

import { boot } from './boot';
import { hashes } from './bundleHashes';
import type { HandOver } from './handOver';
import { json } from './hardening/plainJson';
import { unclobbered } from './hardening/unclobbered';
import { messageOf } from './model/errors';
import type { WaitingElement } from './natives/checkElement';
import { browserPlatform } from './platform/browser';
import { loadOnce, receiveChunks } from './platform/chunks';
import { fromTarget } from './platform/fromTarget';
import { mayOverride } from './platform/mayOverride';
import { warn } from './platform/warn';
import { whenShown } from './platform/whenShown';
import { yieldThread } from './platform/yieldThread';
import type { Overriding, ReadOverrides } from './streams/visitor/tabOverrides';

/**
 * Takes over from the gate (`gate.ts`), which has loaded this script, and boots. The build catches what is thrown in
 * this task, because an old browser may lack more than the gate checks.
 */
const main = (): void => {
  // The browser's own word: loaders of scripts tell others of an element of theirs.
  const running = Reflect.get(Document.prototype, 'currentScript', window.document) as WaitingElement;
  const handOver = running.handOver as HandOver;
  receiveChunks(
    `webpackChunk${project.workspaceId}-web`,
    (modules) => void Object.assign(__webpack_modules__, modules),
  );
  Object.assign(handOver.hashes, hashes);
  __webpack_chunk_load__ = loadOnce(handOver.load);
  const { begin, waitFor } = handOver;
  begin();
  // A prerendered page waits for its visitor, however long that is.
  waitFor(undefined);
  whenShown(document)
    .pipe(
      tap(() => waitFor('Waiting for a task')),
      // In a task of its own, so that the page's own work comes before it. A page that goes away starts it at once.
      switchMap(() =>
        race(
          yieldThread().pipe(switchMap(() => loadOverriding(waitFor))),
          fromTarget(window, 'pagehide').pipe(map(() => notOverriding)),
        ),
      ),
      tap((overriding) => start(handOver, overriding)),
      take(1),
    )
    .subscribe({
      error: (error: unknown) => {
        waitFor(undefined);
        warn(`Exception during initialisation. Got ${messageOf(error)}`);
      },
    });
};

const document = unclobbered(window.document);

/** The overrides of a page whose address and tab have none. */
const notOverriding = (): Overriding => ({ overrides: {}, observers: [] });

/**
 * Loads what reads overrides, where address or tab may have some. The start waits for it. Where it does not load, that
 * is reported, and nothing is overridden.
 */
const loadOverriding = (waitFor: HandOver['waitFor']): ObservableInput<ReadOverrides> => {
  if (!mayOverride(window)) return [notOverriding];
  waitFor('Loading chunk overrides');
  return import(/* webpackChunkName: "overrides" */ './streams/visitor/tabOverrides').then(
    ({ overriding }) => overriding,
    (cause: unknown) =>
      ({ report }) => {
        report('Failed to load overrides', cause);
        return notOverriding();
      },
  );
};

const start = (
  { tag, fileOf, script, workers, wasUnasked, waitFor, inspections }: HandOver,
  overriding: ReadOverrides,
): void => {
  boot({
    tag,
    wasUnasked,
    closeWorker: workers.close,
    waitFor,
    overriding,
    project,
    experiment,
    addons,
    deferredAddons,
    loadDeferred: () => import(/* webpackChunkName: "deferred" */ '@project/deferred'),
    fileOf,
    loadInspector: () => import(/* webpackChunkName: "inspector" */ './inspector/inspector'),
    json,
    warn,
    log: (message, ...causes) =>
      console.warn(`[permutive] ${message}`, ...causes.filter((cause) => cause !== undefined)),
    loadErrorReports: () => import(/* webpackChunkName: "errors" */ './telemetry/errorReports'),
    loadVitals: () => import(/* webpackChunkName: "vitals" */ './telemetry/pageMetrics'),
    platformOf: (report) =>
      browserPlatform(window, {
        openWorker: workers.open,
        nonce: script.nonce,
        loadOnPage: () => import(/* webpackChunkName: "engine" */ './engineHost/pageEngine'),
        report,
      }),
  });
  for (const inspect of inspections) inspect();
};

main();
