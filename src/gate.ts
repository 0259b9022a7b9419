import './door';

import { cdn, consentRequired, cookieName, windowKey, workspaceId } from '@project/settings';

import { type Tag, tagOf, take as takeTag } from './api/tag';
import { hashes } from './bundleHashes';
import { leaveToNext } from './companion/leaveToNext';
import type { TagObject } from './companion/storedVisitor';
import { type AnswerPlaces, consentSeen } from './gate/consentSeen';
import { leavingVisitor } from './gate/leavingVisitor';
import { type GateDeps, whenAnswered } from './gate/whenAnswered';
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

/** Waits for an answer about consent, wherever it may come from. */
const waitForAnswer = (
  tag: Tag,
  document: Unclobbered<Document>,
  mayHaveAnswered: GateDeps['mayHaveAnswered'],
  open: GateDeps['open'],
): HandOver['inspections'] =>
  whenAnswered({
    tag,
    targets: { window, document, cookieStore: ownGlobal(window, 'cookieStore') as EventTarget | undefined },
    inspector: { methods: inspectorMethods, isKey: isInspectorKey },
    mayHaveAnswered,
    open,
  });

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

  const places = answerPlaces(tag, document);
  let seen = consentSeen(places);
  const isOpen = seen !== 'unasked';
  let inspections: HandOver['inspections'] = [];
  let waitFor: HandOver['waitFor'];
  let hasBegun = false;
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
    begin: () => void (hasBegun = true),
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
  if (isOpen) open();
  else {
    warn('No consent to run on the page');
    inspections = waitForAnswer(tag, document, () => (seen = consentSeen(places)) !== 'unasked', open);
  }
  // Last, because the visitor's answer opens the gate by a stub of its own.
  leaveToNext(
    tag as unknown as TagObject,
    () => (hasBegun ? undefined : leavingVisitor(places, cookieName)),
    places.cookie,
  );
};

main();
