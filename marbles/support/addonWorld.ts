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
  listen: () => NEVER,
  formSubmission$: NEVER,
  linkClick$: NEVER,
  googletag$: NEVER,
  apntag$: NEVER,
  prebid$: NEVER,
  contextual$: NEVER,
  message$: NEVER,
  focusLoss$: NEVER,
  tcf$: NEVER,
  identities$: NEVER,
  ...given,
});

type Recorded = 'writeKey' | 'writeCookie' | 'remember' | 'loadPixel' | 'runScript' | 'expose' | 'forget';

/** What an addon may do, recorded. */
export const addonDeps = (given: Partial<Omit<AddonDeps, 'report' | Recorded>> = {}) => ({
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
  codesOf: (ids: readonly string[]) => ids,
  openLayer: () => {
    throw new Error('no document here');
  },
  readKey: () => null,
  writeKey: jest.fn(),
  writeCookie: jest.fn(),
  loadPixel: jest.fn(),
  runScript: jest.fn(() => true),
  expose: jest.fn(),
  forget: jest.fn(),
  configured: {},
  random: () => 0,
  setting: settingsOf(),
  origin: () => 'https://www.site.example',
  adIn: () => undefined,
  ...given,
});
