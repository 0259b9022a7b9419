import { defer, finalize, Subject } from 'rxjs';

import type { EngineMessage } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/** A conversation with an engine that is played by hand. */
export interface FakeEngine {
  /** What it was told, as far as it was open. */
  readonly heard: readonly { readonly type: string }[];
  readonly say: (message: EngineMessage) => void;
  readonly isOpen: () => boolean;
}

/** Opens an engine, which is silent. It is closed once nobody listens to it any more. */
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
        if (isOpen) heard.push(message as { type: string });
      },
    },
    engine: { heard, say: (message) => said$.next(message), isOpen: () => isOpen },
  };
};
