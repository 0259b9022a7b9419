import { defer, EMPTY, mergeMap } from 'rxjs';

import type { Start } from '../model/engineCommands';
import type { EventStore } from '../platform/platform';
import type { Ask } from './ask';
import { fallbackStore } from './fallbackStore';
import { listStore } from './listStore';
import type { LoadParts } from './loadParts';
import { remoteStore } from './remoteStore';
import { beginsHistory, standIn, type StandInDeps } from './standIn';

export interface VisitStoreDeps extends Omit<StandInDeps, 'userId' | 'isNew' | 'page'> {
  readonly ask: Ask;
  /** Few visits need what moves a history, so that is in the chunk of the services. */
  readonly load: Pick<LoadParts, 'services'>;
}

/** The encrypted store of a visitor, and local storage in its place where that has failed and may be replaced. */
export const visitStore = (
  encrypted: EventStore,
  start: Pick<Start, 'userId' | 'isNew' | 'page' | 'leftBehind'>,
  deps: VisitStoreDeps,
): EventStore => {
  const { ask, load, canExist, json, report } = deps;
  const local = remoteStore(ask);
  return fallbackStore(encrypted, listStore(local), {
    onFallback: (cause) => report('Local storage is used, IndexedDB failed', cause),
    mayStandIn: standIn(local, { ...start, ...deps }),
    // Without an encrypted store there is nowhere to move anything to.
    takeOver$: canExist
      ? defer(load.services).pipe(mergeMap(({ takeOver }) => takeOver(local, encrypted, json)))
      : EMPTY,
    begins$: beginsHistory(local, start),
    leftBehind: start.leftBehind,
  });
};
