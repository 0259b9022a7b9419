import './door';

import { cdn, consentRequired, windowKey, workspaceId } from '@project/settings';

import { type Tag, tagOf, take as takeTag } from './api/tag';
import { hashes } from './bundleHashes';
import { keepCalls } from './companion/keepCalls';
import type { TagObject } from './companion/storedVisitor';
import { type AnswerPlaces, consentSeen } from './gate/consentSeen';
import { whenAnswered } from './gate/whenAnswered';
import type { HandOver } from './handOver';
import { ownFields } from './hardening/ownFields';
import { ownGlobal } from './hardening/ownGlobal';
import { type Unclobbered, unclobbered } from './hardening/unclobbered';
import { inspectorMethods, isInspectorKey } from './inspectorDoor';
import { sdkVersion } from './model/clientContext';
import { messageOf } from './model/errors';
import type { WaitingElement } from './natives/checkElement';
import { asksForCheck } from './nativesCheck';
import { type BundleFile, bundleFiles } from './platform/bundleFiles';
import { runFile } from './platform/chunks';
import { rawCookie } from './platform/cookies';
import { type EngineWorkers, engineWorkers } from './platform/engineWorkers';
import { openWorker } from './platform/openWorker';
import { ownScript } from './platform/ownScript';
import { preload } from './platform/preload';
import { startWatch } from './platform/startWatch';
import { missingSupport } from './platform/support';
import { ownAddresses } from './platform/trustedTypes';
import { warn } from './platform/warn';

/** Settings that say where the files of the bundle are (spec C§5). */
interface FileConfig {
  readonly cdnBaseUrl?: string;
  readonly cdnProtocol?: string;
}

/** The folder that settings name; undefined where they name none. */
const folderIn = (config: unknown): string | undefined => {
  const { cdnBaseUrl, cdnProtocol = 'https' } = ownFields(Object(config) as FileConfig);
  return typeof cdnBaseUrl === 'string' && cdnBaseUrl !== '' ? `${cdnProtocol}://${cdnBaseUrl}/` : undefined;
};

/** The engine's workers, which run files of this build. */
const workersOf = (fileOf: (name: string) => BundleFile, addressOf: (url: string) => string): EngineWorkers =>
  engineWorkers({
    openWorker: () => openWorker({ queries: fileOf('worker.queries'), engine: fileOf('worker') }, addressOf),
    session: () => window.sessionStorage,
  });

/** Where the page may have an answer about consent. */
const answerPlaces = (tag: Tag, document: Unclobbered<Document>): AnswerPlaces => ({
  tag,
  consentRequired,
  cookie: (name) => rawCookie(name, document),
  local: () => window.localStorage,
});

/** Keeps the calls of a page that is left before the SDK has come. Returns a function that says that it has come. */
const keepCallsOf = (tag: Tag): HandOver['begin'] => {
  const kept = {
    version: undefined as string | undefined,
    get q() {
      return tag['q'] as TagObject['q'];
    },
  };
  keepCalls(kept);
  return () => void (kept.version = sdkVersion);
};

/**
 * The script that a page loads. Checks the page and the browser, takes the tag, and loads the main part (`main.ts`),
 * which starts the SDK. Where consent is required and the visitor was not asked, nothing else is loaded until there may
 * be an answer. Where there is consent, the engine's worker loads its files while the main part loads. Each refusal
 * warns once and leaves the page alone.
 *
 * Nothing of what the SDK does for a visitor is decided here: the main part reads the answer itself.
 */
const main = (): void => {
  const tag = tagOf((window as unknown as Record<string, unknown>)[windowKey]);
  if (tag === undefined) return warn("Can't find permutive tag on the page");
  const missing = missingSupport(window as unknown as Record<string, unknown>);
  if (missing !== undefined) return warn(missing);
  const document = unclobbered(window.document);
  // Read in the first task of the script, the only one in which the browser knows it.
  const script = ownScript(document);
  // The folder of the other files: the script's own; without a script element, the one that page or project name.
  const base = script.base ?? folderIn(tag['config']) ?? folderIn(cdn);
  if (base === undefined)
    return warn('The script has no address of its own, so it finds no other files. Set cdnBaseUrl.');
  // A second script on the page finds the tag taken and does nothing.
  if (!takeTag(tag, sdkVersion)) return;
  const fileOf = bundleFiles(base, script, `${workspaceId}-web`, hashes);

  const begin = keepCallsOf(tag);

  const places = answerPlaces(tag, document);
  let seen = consentSeen(places);
  const isOpen = seen !== 'unasked';
  let inspections: HandOver['inspections'] = [];
  let waitFor: HandOver['waitFor'];
  // What was checked a moment ago is not checked again.
  const areNativesChecked = (document.currentScript as WaitingElement | null)?.areNativesChecked;
  const addressOf = ownAddresses();
  const workers = workersOf(fileOf, addressOf);
  const load = runFile(document, script, fileOf, addressOf, (name) =>
    name === 'main' ? { handOver: handOver(), areNativesChecked } : {},
  );
  const handOver = (): HandOver => ({
    tag,
    script,
    hashes,
    fileOf,
    load,
    workers,
    asksForCheck,
    wasUnasked: !isOpen,
    begin,
    waitFor,
    inspections,
  });
  const open = (): void => {
    waitFor = startWatch('Loading chunk main');
    void load('main').catch((error: unknown) => {
      waitFor(undefined);
      workers.close();
      warn(messageOf(error));
    });
    // On a prerendered page, the browser opens the worker when the visitor opens the page.
    if (seen !== 'given') return;
    workers.prepare();
    preload(document, script, fileOf('deferred'));
  };
  if (isOpen) return open();
  warn('No consent to run on the page');
  inspections = whenAnswered({
    tag,
    targets: { window, document, cookieStore: ownGlobal(window, 'cookieStore') as EventTarget | undefined },
    inspector: { methods: inspectorMethods, isKey: isInspectorKey },
    mayHaveAnswered: () => (seen = consentSeen(places)) !== 'unasked',
    open,
  });
};

main();
