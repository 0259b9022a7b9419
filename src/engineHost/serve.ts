import { bundle } from '@project/queries';
import { connect, defer, EMPTY, mergeMap, Observable } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { ReadDefinition } from '../engine/language/canonicalLanguage';
import { ownFields } from '../hardening/ownFields';
import { json } from '../hardening/plainJson';
import type { EngineCommand, EngineMessage, Start } from '../model/engineCommands';
import type { Report } from '../model/report';
import { idbStore } from '../platform/idbStore';
import type { EventStore } from '../platform/platform';
import { holdLock } from '../platform/tabLock';
import { yieldThread } from '../platform/yieldThread';
import { type Ask, askPage, failureOf } from './ask';
import { engineHost } from './engineHost';
import { fallbackStore } from './fallbackStore';
import { listStore } from './listStore';
import { remoteStore } from './remoteStore';

/**
 * One end of the connection with the page: a worker's global scope, or a port on the page. A message holds one value or
 * a list of them.
 */
export interface Port {
  readonly addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
  readonly removeEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
}

/** Loads the chunk of the services. */
type LoadServices = () => Promise<typeof import('./services')>;

/**
 * Serves the engine, with the project's queries, at a port. `read` takes each of their definitions. What is no message
 * is reported and skipped. Answers a function that stops the engine.
 */
export const serve = (port: Port, loadServices: LoadServices, read: ReadDefinition): (() => void) => {
  const post = (message: EngineMessage): void => port.postMessage(message);
  const report: Report = (message, cause) => post(reportMessage(message, cause));
  const serving = messagesAt(port, report)
    .pipe(
      connect((message$) => {
        const ask = askPage(post, message$);
        return engineHost(message$, {
          bundle: ownFields(bundle),
          read,
          store: (start) => storeOf(start, { ask, loadServices, report }),
          ask,
          loadServices,
          json,
          now: Date.now.bind(Date),
          random: Math.random.bind(Math),
          yieldThread,
          // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent outside secure contexts
          hold: navigator.locks === undefined ? null : holdLock(navigator.locks),
          report,
        });
      }),
    )
    .subscribe({ next: post, error: (cause: unknown) => report('Query Language: engine stopped', cause) });
  return () => serving.unsubscribe();
};

/** A report for the page, with the words and the kind of its cause: classes of errors do not cross between threads. */
export const reportMessage = (message: string, cause: unknown): EngineMessage => ({
  type: 'report',
  message,
  cause: cause instanceof Error ? cause.message : '',
  kind: failureOf(cause)?.kind ?? null,
});

/** The messages of the page. */
const messagesAt = (port: Port, report: Report): Observable<EngineCommand> =>
  new Observable<unknown>((subscriber) => {
    const listener = ({ data }: MessageEvent): void => subscriber.next(data);
    port.addEventListener('message', listener);
    return () => port.removeEventListener('message', listener);
  }).pipe(
    // The page sends what it has to say in one turn as a list.
    mergeMap((data) => [data].flat()),
    mergeMap((data) => {
      if (isCommand(data)) return [data];
      report('Invalid message from the page');
      return [];
    }),
  );

/** The encrypted store of a workspace, and local storage in its place where that fails. */
const storeOf = (
  { workspaceId, userId, leftBehind }: Pick<Start, 'workspaceId' | 'userId' | 'leftBehind'>,
  { ask, loadServices, report }: { readonly ask: Ask; readonly loadServices: LoadServices; readonly report: Report },
): EventStore => {
  const encrypted = idbStore(workspaceId, { userAgent: navigator.userAgent, userId, report });
  const local = remoteStore(ask);
  // Few visits need this code, so it is in the chunk of the services. Outside a secure context there is no WebCrypto,
  // and so no encrypted store to move anything to.
  const takeOver$ =
    leftBehind && isSecureContext
      ? defer(loadServices).pipe(mergeMap(({ takeOver }) => takeOver(local, encrypted, json)))
      : EMPTY;
  return fallbackStore(
    encrypted,
    listStore(local),
    (cause) => report('Local storage is used, IndexedDB failed', cause),
    takeOver$,
  );
};

/**
 * Whether something is a message. Only the page's script can post here, and it is of the same build, so the fields are
 * not looked at.
 */
const isCommand = (data: unknown): data is EngineCommand => isRecord(data) && typeof data['type'] === 'string';
