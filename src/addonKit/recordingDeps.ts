import { of } from 'rxjs';

import type { AddonDeps } from '../addons/addon';
import type { Activation } from '../model/activation';
import { type Settings, settingsFrom } from '../model/config';
import type { AddonCheck } from './addonCheck';
import type { AddonEffect, RecordEffect } from './effect';
import { recordedPage } from './recordedPage';

/** Origin of the page of the check. */
export const checkedOrigin = 'https://site.example';

/** How the recorded page behaves. */
interface RecordingOptions {
  readonly trial: AddonCheck;
  /** Every effect throws, as the page's own functions may. */
  readonly failing: boolean;
  readonly now: () => number;
}

/** The settings of the page of the check. */
export const checkedSettings = ({ settings = {} }: AddonCheck): Settings =>
  settingsFrom({ page: () => settings, overrides: {}, project: {}, report: () => undefined });

/**
 * The effects of a page on which nothing happens: each effect is recorded and has no other consequence. An effect is
 * noted by its name and its first argument, such as `writeKey(_pdfps)`.
 */
export const recordingDeps = (record: RecordEffect, { trial, failing, now }: RecordingOptions) => {
  const act = (kind: AddonEffect['kind'], name: string, first: unknown): void => {
    const argument = typeof first === 'string' ? first : '';
    record({ kind, what: `${name}(${argument})`, text: kind === 'request' || kind === 'script' ? argument : '' });
    if (failing) throw new Error(`${name} failed`);
  };
  const effect =
    (kind: AddonEffect['kind'], name: string) =>
    (first?: unknown): void =>
      act(kind, name, first);
  const { page = {}, options } = trial;
  const global = (name: string): unknown =>
    Object.hasOwn(page, name)
      ? recordedPage(name, page[name], (path, first) => act('pageCall', path, first))
      : undefined;
  const deps: AddonDeps = {
    ...emptyPage,
    activations: activationsWith(trial.config),
    configured: typeof options === 'object' && options !== null ? { ...options } : {},
    setting: checkedSettings(trial),
    global,
    now,
    remember: effect('storage', 'remember'),
    writeKey: effect('storage', 'writeKey'),
    loadPixel: (url) => {
      act('request', 'loadPixel', url);
      return of(true);
    },
    runScript: (code) => {
      act('script', 'runScript', code);
      return true;
    },
    openLayer: () => {
      act('layer', 'openLayer', '');
      throw new Error('no document here');
    },
    writeCookie: effect('storage', 'writeCookie'),
    forget: effect('removal', 'forget'),
    // Not recorded, because exposing methods has no effect on the world.
    expose: () => undefined,
  };
  return {
    deps,
    /** The first of these globals that the page has; an empty object where it has none. */
    tag: (names: readonly string[]): unknown => global(names.find((name) => Object.hasOwn(page, name)) ?? '') ?? {},
  };
};

/** One activation for each trigger, on the cohort 7, which the visitor of the check enters and leaves. */
const activationsWith = (config: AddonCheck['config']): readonly Activation[] =>
  (['EveryTime', 'OnEntry', 'OnExit'] as const).map((tt) => ({ id: tt, short_id: tt, sc: 7, tt, c: { ...config } }));

/** What an addon reads of a visible page that has neither ads nor anything stored. */
const emptyPage = {
  report: () => undefined,
  context: () => ({ url: `${checkedOrigin}/`, domain: 'site.example', type: 'web' }),
  yieldThread: () => of(undefined),
  isVisible: () => true,
  scrollDepth: () => 0.5,
  visitor: () => ({ userId: 'visitor', viewId: 'view', workspaceId: 'workspace', sdkType: 'web' }),
  codesFor: (_, { members }) => members,
  codesOf: (ids) => ids,
  recall: () => null,
  readKey: () => null,
  random: () => 0,
  address: () => `${checkedOrigin}/`,
  isViewOver: () => false,
  origin: () => checkedOrigin,
  adIn: () => undefined,
} satisfies Partial<AddonDeps>;
