import { EMPTY } from 'rxjs';

import { inspectorDoor } from '../src/inspectorDoor';
import { fileOf } from '../test/support/fileOf';
import { worldOf } from '../test/support/world';
import { marble } from './support/marbles';

const never = (): Promise<never> => new Promise(() => undefined);

describe('inspectorDoor', () => {
  // The page must not depend on a chunk that it needs for the inspector only.
  marble('starts the visit without an inspector that has not loaded within 3 s', ({ expectObservable }) => {
    const world = worldOf({ config: { inspector: true } });
    const deps = { tag: {}, world, isGiven: true, measured$: EMPTY, fileOf, loadInspector: never };
    expectObservable(inspectorDoor(deps).world$).toBe('3s (u|)', { u: undefined });
  });
});
