import { config as rxjsConfig } from 'rxjs';

import type { AnyAddon } from '../../src/addons/addon';
import type { Tag } from '../../src/api/tag';
import { boot, type BootDeps } from '../../src/boot';
import { type Experiment, noExperiment } from '../../src/contracts/experiment';
import { type FakeFacts, fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import type { PageProject } from '../../src/model/project';
import type { Platform } from '../../src/platform/platform';
import { overriding } from '../../src/streams/visitor/tabOverrides';
import { fileOf } from './fileOf';
import { lateParts, projectOf } from './project';
import { engineOf } from './world';

export interface Setup extends FakeFacts {
  readonly config?: unknown;
  readonly addons?: readonly AnyAddon[];
  readonly project?: Partial<PageProject>;
  /** Default: the project has none. */
  readonly experiment?: Experiment;
  readonly broken?: Partial<Platform>;
  readonly loadDeferred?: BootDeps['loadDeferred'];
  /** Default: the page has not waited for an answer. */
  readonly wasUnasked?: boolean;
  /** The page's object, where it is to be this one; otherwise one with a queue. */
  readonly tag?: Tag;
}

const stops: (() => void)[] = [];

/** Starts the SDK on a page that has left these calls. */
export const start = (queued: readonly unknown[] = [], setup: Setup = {}) => {
  const platform = fakePlatform(setup);
  const [warn, log] = [jest.fn<undefined, [string]>(), jest.fn<undefined, [string, unknown]>()];
  const closeWorker = jest.fn<undefined, []>();
  const waitFor = jest.fn<undefined, [string | undefined]>();
  const tag: Tag = setup.tag ?? { q: [...queued], config: setup.config ?? { loggingEnabled: true } };
  const stop = boot({
    wasUnasked: setup.wasUnasked ?? false,
    closeWorker,
    waitFor,
    deferredAddons: [],
    loadDeferred: setup.loadDeferred ?? (() => [lateParts()]),
    tag,
    project: projectOf(setup.project),
    experiment: setup.experiment ?? noExperiment,
    addons: setup.addons ?? [],
    overriding,
    json,
    warn,
    log,
    loadErrorReports: () => import('../../src/telemetry/errorReports'),
    fileOf,
    loadInspector: () => new Promise(() => undefined),
    loadVitals: () => new Promise(() => undefined),
    platformOf: () => ({ ...platform, ...setup.broken }),
  });
  stops.push(stop);
  const initialise = (): void => engineOf(platform).initialise('7');
  const invoke = (name: string, ...args: readonly unknown[]): unknown =>
    (tag[name] as ((...args: readonly unknown[]) => unknown) | undefined)?.(...args);
  const tracked = (): string[] =>
    (platform.engines.at(-1)?.heard ?? []).flatMap((message) =>
      'event' in message ? [(message.event as { readonly name: string }).name] : [],
    );
  return {
    platform,
    tag,
    warn,
    log,
    closeWorker,
    /** What the start has waited for, in turn; undefined: for nothing. */
    awaited: () => waitFor.mock.calls.map(([what]) => what),
    stop,
    initialise,
    invoke,
    tracked,
    logged: () => log.mock.calls.map(([message]) => message),
  };
};

/** Stops all that was started; for `afterEach`. */
export const stopAll = (): void => {
  for (const stop of stops.splice(0)) stop();
  rxjsConfig.onUnhandledError = null;
};
