import { addons, deferredAddons, project } from '@project/page';
import { race, switchMap, take } from 'rxjs';

import { type Tag, tagOf, take as takeTag } from './api/tag';
import { boot } from './boot';
import { sdkVersion } from './model/clientContext';
import { messageOf } from './model/errors';
import { ownFields } from './model/ownFields';
import { json } from './model/plainJson';
import { unclobbered } from './model/unclobbered';
import { browserPlatform } from './platform/browser';
import { bundleFiles } from './platform/bundleFiles';
import { receiveChunks, runFile } from './platform/chunks';
import { fromTarget } from './platform/fromTarget';
import { ownScript } from './platform/ownScript';
import { missingSupport } from './platform/support';
import { whenShown } from './platform/whenShown';
import { yieldThread } from './platform/yieldThread';

/** Says in the console why nothing starts (spec C§8). */
const warn = (reason: string): void => console.warn(`Permutive was not initialized. ${reason}`);

const failed = (error: unknown): void => warn(`Exception during initialisation. Got ${messageOf(error)}`);

/** Runs an action. An old browser may lack more than `missingSupport` checks; the error must not reach the page. */
const guarded = (action: () => void): void => {
  try {
    action();
  } catch (error) {
    failed(error);
  }
};

/** Checks the page and the browser, takes the tag, and boots. Each refusal warns once and leaves the page alone. */
const main = (): void => {
  // The build has checked the project's settings.
  const { windowKey = 'permutive' } = ownFields(project.config as { readonly windowKey?: string });
  const tag = tagOf((window as unknown as Record<string, unknown>)[windowKey]);
  if (tag === undefined) return warn("Can't find permutive tag on the page");
  const missing = missingSupport(window as unknown as Record<string, unknown>);
  if (missing !== undefined) return warn(missing);
  // A second script on the page finds the tag taken and does nothing.
  if (!takeTag(tag, sdkVersion)) return;
  loadOwnChunks();
  whenShown(document)
    .pipe(
      // In a task of its own, so that the page's own work comes before it. A page that goes away starts it at once.
      switchMap(() => race(yieldThread(), fromTarget(window, 'pagehide'))),
      take(1),
    )
    .subscribe({ next: () => guarded(() => void start(tag)), error: failed });
};

const document = unclobbered(window.document);
// Read in the first task of the script, the only one in which the browser knows it.
const script = ownScript(document);
const scriptName = `${project.workspaceId}-web`;
const fileOf = bundleFiles(script, scriptName, bundleHashes);

/** Makes dynamic imports load the chunks of this build. */
const loadOwnChunks = (): void => {
  receiveChunks(`webpackChunk${scriptName}`, (modules) => void Object.assign(__webpack_modules__, modules));
  __webpack_chunk_load__ = runFile(document, script, fileOf);
};

const start = (tag: Tag): unknown =>
  boot({
    tag,
    project,
    addons,
    deferredAddons,
    loadDeferred: () => import(/* webpackChunkName: "deferred" */ '@project/deferred'),
    fileOf,
    loadInspector: () => import(/* webpackChunkName: "inspector" */ './inspector/inspector'),
    json,
    warn,
    log: (message, cause) => console.warn(`[permutive] ${message}`, cause),
    loadErrorReports: () => import(/* webpackChunkName: "errors" */ './telemetry/errorReports'),
    loadVitals: () => import(/* webpackChunkName: "vitals" */ './telemetry/pageMetrics'),
    platformOf: (report) =>
      browserPlatform(window, {
        workerFiles: () => ({
          queries: fileOf('worker.queries'),
          engine: fileOf('worker'),
          services: fileOf('worker.services'),
        }),
        nonce: script.nonce,
        loadOnPage: () => import(/* webpackChunkName: "engine" */ './engineHost/pageEngine'),
        report,
      }),
  });

guarded(main);
