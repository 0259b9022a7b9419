import { useObservableState } from 'observable-hooks';
import { createContext, useContext } from 'react';

import type { PageAddress } from '../state/addresses';
import type { Server } from '../state/ask';
import type { Studio, StudioState } from '../state/studio';

/** What all views are given. */
export interface StudioGiven extends Pick<PageAddress, 'go' | 'link' | 'rewrite'> {
  readonly studio: Studio;
  readonly server: Server;
}

const Context = createContext({} as StudioGiven);
export const StudioProvider = Context.Provider;
export const useStudio = (): StudioGiven => useContext(Context);

export const useStudioState = (): StudioState => {
  const { studio } = useStudio();
  return useObservableState(studio.state$, studio.current());
};
