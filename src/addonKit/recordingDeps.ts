import { of } from 'rxjs';

import type { AddonDeps } from '../addons/addon';
import type { Activation } from '../model/activation';
import { settingsFrom } from '../model/config';
import type { AddonCheck } from './addonCheck';

/** Notes an effect by its name and its first argument, such as `writeKey(_pdfps)`. */
export type RecordEffect = (what: string) => void;

/** How the recorded page behaves. */
interface RecordingOptions extends Pick<AddonCheck, 'config'> {
  /** Every effect throws, as the page's own functions may. */
  readonly failing: boolean;
  readonly now: () => number;
}

/** The effects of a page on which nothing happens: each effect is recorded and has no other consequence. */
export const recordingDeps = (record: RecordEffect, { config, failing, now }: RecordingOptions): AddonDeps => {
  const effect =
    (name: string) =>
    (first?: unknown): void => {
      record(`${name}(${typeof first === 'string' ? first : ''})`);
      if (failing) throw new Error(`${name} failed`);
    };
  return {
    ...emptyPage,
    activations: activationsWith(config),
    now,
    remember: effect('remember'),
    writeKey: effect('writeKey'),
    loadPixel: effect('loadPixel'),
    runScript: (code) => {
      effect('runScript')(code);
      return true;
    },
    openLayer: () => {
      effect('openLayer')();
      throw new Error('no document here');
    },
    writeCookie: effect('writeCookie'),
    forget: effect('forget'),
    // Not recorded, because exposing methods has no effect on the world.
    expose: () => undefined,
  };
};

/** One activation for each trigger, on the cohort 7, which the visitor of the check enters and leaves. */
const activationsWith = (config: AddonCheck['config']): readonly Activation[] =>
  (['EveryTime', 'OnEntry', 'OnExit'] as const).map((tt) => ({ id: tt, short_id: tt, sc: 7, tt, c: { ...config } }));

/** What an addon reads of a visible page that has neither ads nor anything stored. */
const emptyPage = {
  report: () => undefined,
  configured: {},
  context: () => ({ url: 'https://site.example/', domain: 'site.example', type: 'web' }),
  yieldThread: () => of(undefined),
  isVisible: () => true,
  scrollDepth: () => 0.5,
  visitor: () => ({ userId: 'visitor', viewId: 'view', workspaceId: 'workspace', sdkType: 'web' }),
  codesFor: (_, { members }) => members,
  codesOf: (ids) => ids,
  recall: () => null,
  readKey: () => null,
  random: () => 0,
  setting: settingsFrom({ page: () => ({}), overrides: {}, project: {}, report: () => undefined }),
  origin: () => 'https://site.example',
  adIn: () => undefined,
  global: () => undefined,
} satisfies Partial<AddonDeps>;
