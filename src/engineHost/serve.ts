import { bundle } from '@project/queries';
import { connect, mergeMap, Observable } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { ReadDefinition } from '../engine/language/canonicalLanguage';
import { ownFields } from '../hardening/ownFields';
import { json } from '../hardening/plainJson';
import type { EngineCommand, EngineMessage } from '../model/engineCommands';
import type { Report } from '../model/report';
import { lockRequest, userAgent } from '../platform/environment';
import { idbStore } from '../platform/idbStore';
import { idbJournal } from '../platform/journal';
import { holdLock } from '../platform/tabLock';
import { yieldThread } from '../platform/yieldThread';
import { askPage, failureOf } from './ask';
import { engineHost } from './engineHost';
import type { LoadParts } from './loadParts';
import { visitStore } from './visitStore';

/**
 * One end of the connection with the page: a worker's global scope, or a port on the page. A message holds one value or
 * a list of them.
 */
export interface Port {
  readonly addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
  readonly removeEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
}

/**
 * Serves the engine, with the project's queries, at a port. `read` takes each of their definitions. What is no message
 * is reported and skipped. Answers a function that stops the engine.
 */
export const serve = (port: Port, load: LoadParts, read: ReadDefinition): (() => void) => {
  const post = (message: EngineMessage): void => port.postMessage(message);
  const report: Report = (message, cause) => post(reportMessage(message, cause));
  const now = Date.now.bind(Date);
  const locks = lockRequest();
  const serving = messagesAt(port, report)
    .pipe(
      connect((message$) => {
        const ask = askPage(post, message$);
        return engineHost(message$, {
          bundle: ownFields(bundle),
          read,
          store: (start) => {
            const { workspaceId, userId } = start;
            const encrypted = idbStore(workspaceId, { userAgent: userAgent(), userId, report });
            return visitStore(encrypted, start, { canExist: isSecureContext, ask, load, json, now, report });
          },
          ask,
          load,
          json,
          journal: idbJournal(() => indexedDB),
          now,
          random: Math.random.bind(Math),
          yieldThread,
          hold: locks ? holdLock(locks) : null,
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

/**
 * Whether something is a message. Only the page's script can post here, and it is of the same build, so the fields are
 * not looked at.
 */
const isCommand = (data: unknown): data is EngineCommand => isRecord(data) && typeof data['type'] === 'string';
