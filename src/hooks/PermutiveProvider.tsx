import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { NEVER } from 'rxjs';

import type { PagePermutive } from './pageCall';
import { type PageLink, pageLink } from './pageLink';
import { windowDoor } from './windowDoor';

/** Without a provider, the hooks use `window.permutive`. */
const Link = createContext<PageLink>(pageLink(windowDoor('permutive')));

/** The link of the nearest provider. */
export const usePageLink = (): PageLink => useContext(Link);

/** Where the hooks below find the SDK. */
export interface PermutiveProviderProps {
  /** The object itself, such as a fake of a test. Default: the page's. */
  readonly permutive?: PagePermutive;
  /** Name of the page's global object, where the project's setting `windowKey` changes it. */
  readonly windowKey?: string;
  readonly children?: ReactNode;
}

/**
 * Says where the hooks below it find the SDK, and follows the visitor's cohorts while it is mounted: a component that
 * is mounted later then renders them at once. The provider is not needed on a page with `window.permutive`.
 */
export const PermutiveProvider = ({
  permutive,
  windowKey = 'permutive',
  children,
}: PermutiveProviderProps): ReactElement => {
  const link = useMemo(
    () => pageLink(permutive === undefined ? windowDoor(windowKey) : { find: () => permutive, arrival$: NEVER }),
    [permutive, windowKey],
  );
  useEffect(() => link.codes('all').subscribe(() => undefined), [link]);
  return <Link.Provider value={link}>{children}</Link.Provider>;
};
