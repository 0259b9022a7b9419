import './door';

import { addons, deferredAddons, experiment, project } from '@project/page';
import { map, type ObservableInput, race, switchMap, take, tap } from 'rxjs';

import { type Tag, tagOf, take as takeTag } from './api/tag';
import { boot } from './boot';
import { hashes } from './bundleHashes';
import { ownFields } from './hardening/ownFields';
import { json } from './hardening/plainJson';
import { unclobbered } from './hardening/unclobbered';
import { sdkVersion } from './model/clientContext';
import { messageOf } from './model/errors';
import { browserPlatform } from './platform/browser';
import { bundleFiles } from './platform/bundleFiles';
import { receiveChunks, runFile } from './platform/chunks';
import { fromTarget } from './platform/fromTarget';
import { mayOverride } from './platform/mayOverride';
import { ownScript } from './platform/ownScript';
import { missingSupport } from './platform/support';
import { whenShown } from './platform/whenShown';
import { yieldThread } from './platform/yieldThread';
import type { Overriding, ReadOverrides } from './streams/visitor/tabOverrides';

/** Says in the console why nothing starts (spec C§8). */
const warn = (reason: string): void => console.warn(`Permutive was not initialized. ${reason}`);

const warnOfFailure = (error: unknown): void => warn(`Exception during initialisation. Got ${messageOf(error)}`);

/**
 * Checks the page and the browser, takes the tag, and boots. Each refusal warns once and leaves the page alone. The
 * build catches what is thrown in this task, because an old browser may lack more than `missingSupport` checks.
 */
const main = (): void => {
  if (tag === undefined) return warn("Can't find permutive tag on the page");
  const missing = missingSupport(window as unknown as Record<string, unknown>);
  if (missing !== undefined) return warn(missing);
  // A second script on the page finds the tag taken and does nothing.
  if (!takeTag(tag, sdkVersion)) return;
  if (folder === undefined)
    console.warn('[permutive] The script has no address of its own, so it finds no other files. Set cdnBaseUrl.');
  loadOwnChunks();
  whenShown(document)
    .pipe(
      // In a task of its own, so that the page's own work comes before it. A page that goes away starts it at once.
      switchMap(() =>
        race(
          yieldThread().pipe(switchMap(loadOverriding)),
          fromTarget(window, 'pagehide').pipe(map(() => notOverriding)),
        ),
      ),
      tap((overriding) => void start(tag, overriding)),
      take(1),
    )
    .subscribe({ error: warnOfFailure });
};

/** Settings that say where the files of the bundle are (spec C§5). */
interface FileConfig {
  readonly windowKey?: string;
  readonly cdnBaseUrl?: string;
  readonly cdnProtocol?: string;
}

/** The folder that settings name; undefined where they name none. */
function folderIn(config: unknown): string | undefined {
  const { cdnBaseUrl, cdnProtocol = 'https' } = ownFields(Object(config) as FileConfig);
  return typeof cdnBaseUrl === 'string' && cdnBaseUrl !== '' ? `${cdnProtocol}://${cdnBaseUrl}/` : undefined;
}

const document = unclobbered(window.document);
// Read in the first task of the script, the only one in which the browser knows it.
const script = ownScript(document);
const scriptName = `${project.workspaceId}-web`;
// The build has checked the project's settings.
const projectConfig = ownFields(project.config as FileConfig);
const tag = tagOf((window as unknown as Record<string, unknown>)[projectConfig.windowKey ?? 'permutive']);
/** The folder of the other files: the script's own; without a script element, the one that page or project name. */
const folder = script.base ?? folderIn(tag?.['config']) ?? folderIn(projectConfig);
const fileOf = bundleFiles({ ...script, base: folder }, scriptName, hashes);

/** Makes dynamic imports load the chunks of this build. */
const loadOwnChunks = (): void => {
  receiveChunks(`webpackChunk${scriptName}`, (modules) => void Object.assign(__webpack_modules__, modules));
  __webpack_chunk_load__ = runFile(document, script, fileOf);
};

/** The overrides of a page whose address and tab have none. */
const notOverriding = (): Overriding => ({ overrides: {}, observers: [] });

/**
 * Loads what reads overrides, where address or tab may have some. The start waits for it. Where it does not load, that
 * is reported, and nothing is overridden.
 */
const loadOverriding = (): ObservableInput<ReadOverrides> =>
  mayOverride(window)
    ? import(/* webpackChunkName: "overrides" */ './streams/visitor/tabOverrides').then(
        ({ overriding }) => overriding,
        (cause: unknown) =>
          ({ report }) => {
            report('Failed to load overrides', cause);
            return notOverriding();
          },
      )
    : [notOverriding];

const start = (tag: Tag, overriding: ReadOverrides): unknown =>
  boot({
    tag,
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

main();
