import { NEVER } from 'rxjs';
import type { AddonDeps, AddonStreams } from '../../src/addons/addon';
import { settingsOf } from '../../test/support/settings';
import { reportMock } from '../../test/support/reports';

/** A page on which nothing happens, but for what a test says. */
export const addonStreams = (given: Partial<AddonStreams>): AddonStreams => ({
  event$: NEVER,
  transition$: NEVER,
  transitionsSinceInit$: NEVER,
  cohorts$: NEVER,
  view$: NEVER,
  leave$: NEVER,
  activity$: NEVER,
  googletag$: NEVER,
  apntag$: NEVER,
  prebid$: NEVER,
  contextual$: NEVER,
  message$: NEVER,
  focusLoss$: NEVER,
  tcf$: NEVER,
  ...given,
});

/** What an addon may do, recorded. */
export const addonDeps = (given: Partial<Omit<AddonDeps, 'report' | 'writeKey' | 'writeCookie' | 'remember' | 'expose' | 'forget'>> = {}) => ({
  report: reportMock(),
  activations: [],
  context: () => ({}),
  recall: () => null,
  remember: jest.fn(),
  now: () => 1_767_268_800_000,
  isVisible: () => true,
  scrollDepth: () => 0.25,
  visitor: () => ({ userId: 'visitor', viewId: 'view', workspaceId: 'workspace', sdkType: 'web' }),
  codesFor: () => [],
  openLayer: () => {
    throw new Error('no document here');
  },
  readKey: () => null,
  writeKey: jest.fn(),
  writeCookie: jest.fn(),
  expose: jest.fn(),
  forget: jest.fn(),
  configured: {},
  random: () => 0,
  setting: settingsOf(),
  origin: () => 'https://www.site.example',
  adIn: () => undefined,
  ...given,
});
