import { defer, finalize, Subject } from 'rxjs';

import type { EngineMessage } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/** A conversation with an engine that is played by hand. */
export interface FakeEngine {
  /** The messages that the engine was sent while it was open. */
  readonly heard: readonly { readonly type: string }[];
  readonly say: (message: EngineMessage) => void;
  readonly isOpen: () => boolean;
}

/** Opens an engine, which is silent. The engine is closed once nobody listens to it any more. */
export const fakeEngine = (): { readonly link: EngineLink; readonly engine: FakeEngine } => {
  const said$ = new Subject<unknown>();
  const heard: { type: string }[] = [];
  let [isOpen, listeners] = [true, 0];
  const message$ = defer(() => {
    listeners += 1;
    return said$.pipe(
      finalize(() => {
        listeners -= 1;
        isOpen = listeners > 0;
      }),
    );
  });
  return {
    link: {
      message$,
      send: (message) => {
        if (isOpen) heard.push(message);
      },
    },
    engine: { heard, say: (message) => said$.next(message), isOpen: () => isOpen },
  };
};
