import { NEVER, type Observable, of } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../../src/addons/addon';
import { appearances } from '../../src/operators/creators/appearances';
import { tagFinder } from '../../src/streams/dom/fromTag';
import { reportMock } from '../../test/support/reports';
import { settingsOf } from '../../test/support/settings';
import { noPlatform } from './tcfAnswer';

/** A page on which nothing happens, but for what a test says. */
export const addonStreams = (given: Partial<AddonStreams>): AddonStreams => ({
  event$: NEVER,
  transition$: NEVER,
  evaluatedTransition$: NEVER,
  transitionsSinceInit$: NEVER,
  cohorts$: NEVER,
  view$: NEVER,
  pageExit$: NEVER,
  activity$: NEVER,
  listen: () => NEVER,
  formSubmission$: NEVER,
  linkClick$: NEVER,
  fromTag: () => NEVER,
  contextual$: NEVER,
  message$: NEVER,
  focusLoss$: NEVER,
  // The page has no consent platform.
  tcf$: of(noPlatform),
  sharing$: of(true),
  identities$: NEVER,
  ...given,
});

/** The tag that an addon of a partner finds on the page. */
export const tagDoor = (tag$: Observable<unknown>): Pick<AddonStreams, 'fromTag'> => ({
  fromTag: () => tag$ as Observable<never>,
});

/** A page with these globals, as addons reach it. */
export const pageDoors = (read: (name: string) => unknown) => {
  const global = jest.fn(read);
  const doors: Pick<AddonStreams, 'fromTag'> = {
    fromTag: tagFinder({ appears: appearances(() => NEVER), page: { global } }),
  };
  return { ...doors, global };
};

type Recorded = 'forget' | 'writeKey' | 'writeCookie' | 'remember' | 'loadPixel' | 'runScript' | 'expose';

/** What an addon may do, recorded. */
export const addonDeps = (given: Partial<Omit<AddonDeps, 'report' | Recorded>> = {}) => ({
  report: reportMock(),
  activations: [],
  context: () => ({}),
  recall: () => null,
  remember: jest.fn(),
  now: () => 1_767_268_800_000,
  yieldThread: () => of(undefined),
  isVisible: () => true,
  scrollDepth: () => 0.25,
  visitor: () => ({ userId: 'visitor', viewId: 'view', workspaceId: 'workspace', sdkType: 'web' }),
  codesFor: () => [],
  codesOf: (ids: readonly string[]) => ids,
  openLayer: () => {
    throw new Error('no document here');
  },
  readKey: () => null,
  writeKey: jest.fn(),
  writeCookie: jest.fn(),
  loadPixel: jest.fn((_url: string) => of(true)),
  runScript: jest.fn(() => true),
  expose: jest.fn(),
  forget: jest.fn(),
  configured: {},
  random: () => 0,
  setting: settingsOf(),
  address: () => 'https://www.site.example/',
  isViewOver: () => false,
  origin: () => 'https://www.site.example',
  adIn: () => undefined,
  global: () => undefined,
  ...given,
});
