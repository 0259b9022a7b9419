import { filter, ignoreElements, merge, type Observable, of, tap } from 'rxjs';

import { type Fields, isRecord } from '../../codecs/codecs';
import type { Json } from '../../hardening/json';
import type { Page, Tools } from '../../platform/platform';

/**
 * Asks a consent platform. The platform calls back once, or at each event for `addEventListener`; a broken platform may
 * throw.
 */
export type ConsentCommand = (command: string, callback: Callback, parameter?: unknown) => void;
type Callback = (data: unknown, success: unknown) => void;

/** `newId` names a call, so that its answers are told from those to other scripts of this window. */
export interface ConsentApiDeps extends Pick<Tools, 'listen' | 'json' | 'newId'> {
  readonly page: Pick<Page, 'global'>;
}

/** The functions of consent platforms that the IAB specifies, and the version that is asked of each. */
const versions = { __tcfapi: 2, __gpp: '1.1', __uspapi: 1 } as const;
export type ApiName = keyof typeof versions;

/** A window around this one, as a page of another origin sees it. */
interface Frame {
  readonly parent: Frame;
  readonly frames: Readonly<Record<string, unknown>>;
  readonly postMessage: (message: unknown, origin: string) => void;
}

/** No page has more windows around it than this, unless it wants to keep a script busy. */
const maxParents = 10;

/**
 * A consent platform: the one of this window, else that of the nearest window around it which has the platform's
 * locator frame. Undefined where there is none at this moment. Emits the function that asks it, whose answers come as
 * long as the subscription lasts. Cold.
 */
export const consentApi = (name: ApiName, deps: ConsentApiDeps): Observable<ConsentCommand> | undefined => {
  if (typeof deps.page.global(name) === 'function') return of(askOwn(name, deps.page));
  const frame = frameWith(`${name}Locator`, deps.page);
  return frame && askIn(frame, name, deps);
};

/** Looks the function up at each use, because the stub that queues calls is replaced by the platform itself. */
const askOwn =
  (name: ApiName, page: ConsentApiDeps['page']): ConsentCommand =>
  (command, callback, parameter) => {
    const api = page.global(name) as ((...given: readonly unknown[]) => void) | undefined;
    // The newest of them has the version last, where it need not be.
    if (name === '__gpp') api?.(command, callback, parameter);
    else api?.(command, versions[name], callback, parameter);
  };

/** The nearest window around this one that has a frame of that name. */
const frameWith = (locator: string, page: ConsentApiDeps['page']): Frame | undefined => {
  let frame = page.global('window') as Frame | undefined;
  for (let i = 0; i < maxParents && frame !== undefined && frame.parent !== frame; i += 1) {
    frame = frame.parent;
    try {
      if (frame.frames[locator]) return frame;
    } catch {
      // A window of another origin throws where it has no such frame.
    }
  }
  return undefined;
};

/** Asks by messages, as the IAB specifies it for frames. Only answers of that window to these calls are taken. */
const askIn = (frame: Frame, name: ApiName, { listen, json, newId }: ConsentApiDeps): Observable<ConsentCommand> => {
  const callbacks = new Map<unknown, Callback>();
  const ask: ConsentCommand = (command, callback, parameter) => {
    const callId = newId();
    callbacks.set(callId, callback);
    frame.postMessage({ [`${name}Call`]: { command, parameter, version: versions[name], callId } }, '*');
  };
  return merge(
    (listen('window', 'message') as Observable<MessageEvent<unknown>>).pipe(
      filter(({ source }) => source === (frame as unknown)),
      tap(({ data }) => {
        const { callId, returnValue, success } = answerIn(data, `${name}Return`, json);
        callbacks.get(callId)?.(returnValue, success);
      }),
      ignoreElements(),
    ),
    of(ask),
  );
};

/** The answer in a message: platforms send an object, or the text of one. Empty where the message has no answer. */
const answerIn = (data: unknown, key: string, json: Json): Fields => {
  const message = typeof data === 'string' && data.includes(key) ? json.parse(data) : data;
  const answer = isRecord(message) ? message[key] : undefined;
  return isRecord(answer) ? answer : {};
};
