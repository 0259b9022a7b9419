import { useObservableState } from 'observable-hooks';
import { createContext, useContext } from 'react';

import type { Server } from '../state/ask';
import type { Route } from '../state/route';
import type { Studio, StudioState } from '../state/studio';

/** What all views are given. */
export interface StudioGiven {
  readonly studio: Studio;
  readonly server: Server;
  readonly go: (route: Route) => void;
  /** The address of a route, for links. */
  readonly link: (route: Route) => string;
}

const Context = createContext({} as StudioGiven);
export const StudioProvider = Context.Provider;
export const useStudio = (): StudioGiven => useContext(Context);

export const useStudioState = (): StudioState => {
  const { studio } = useStudio();
  return useObservableState(studio.state$, studio.current());
};
