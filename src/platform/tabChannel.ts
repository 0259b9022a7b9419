import { distinctUntilChanged, map, merge, NEVER, Observable, of, switchMap } from 'rxjs';

import { localKeys } from '../model/storageKeys';
import { orNone } from '../primitives/orNone';
import { fromTarget } from './fromTarget';
import type { TabChannel } from './platform';

/**
 * Messages among tabs by BroadcastChannel. Where the browser has none, or refuses it, nothing is heard and nothing is
 * sent. The channel is closed while the page is in the back-forward cache, because browsers keep no page there that has
 * one open.
 */
export const tabChannel = (window: Window & typeof globalThis): TabChannel => {
  const { BroadcastChannel } = window;
  const open = () => orNone(() => new BroadcastChannel(localKeys.consent));
  const heard$ = new Observable<unknown>((subscriber) => {
    const channel = open();
    channel?.addEventListener('message', ({ data }) => subscriber.next(data));
    return () => channel?.close();
  });
  return {
    message$: merge(
      of(true),
      fromTarget(window, 'pageshow').pipe(map(() => true)),
      fromTarget(window, 'pagehide').pipe(map(() => false)),
    ).pipe(
      distinctUntilChanged(),
      switchMap((isShown) => (isShown ? heard$ : NEVER)),
    ),
    post: (message) => {
      const channel = open();
      channel?.postMessage(message);
      channel?.close();
    },
  };
};
