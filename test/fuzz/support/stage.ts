import { config as rxjsConfig } from 'rxjs';

import type { AnyAddon } from '../../../src/addons/addon';
import { web } from '../../../src/addons/web/web';
import type { Tag } from '../../../src/api/tag';
import { boot } from '../../../src/boot';
import { noExperiment } from '../../../src/contracts/experiment';
import { type FakeFacts, type FakePlatform, fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { overriding } from '../../../src/streams/visitor/tabOverrides';
import { errorReport } from '../../../src/telemetry/errorReport';
import { noon } from '../../support/events';
import { lateParts, projectOf } from '../../support/project';
import { email, persona } from './hostile';

export interface Page {
  readonly platform: FakePlatform;
  readonly tag: Tag;
  /** The engine of the present visit is ready. */
  readonly initialise: () => void;
  readonly call: (method: string, ...args: readonly unknown[]) => unknown;
  /** Names of the events that the engine has been told. */
  readonly tracked: () => readonly string[];
  readonly logged: () => readonly (readonly [message: string, cause: unknown])[];
  /** Fails where this page is not as well as any: what is asked of each fuzzed input. */
  readonly expectWell: () => void;
  readonly stop: () => void;
}

const never = (): Promise<never> => new Promise(() => undefined);

/** The SDK on a page of the fake platform, started, and initialised where it has consent. */
export const openPage = (
  facts: FakeFacts & {
    readonly config?: unknown;
    readonly q?: readonly unknown[];
    readonly addons?: readonly AnyAddon[];
  } = {},
): Page => {
  // No field that a fuzzed page has added to all objects counts as given here.
  const given = { __proto__: null, page: {}, ...facts } as typeof facts;
  const platform = fakePlatform(given);
  const logged: (readonly [string, unknown])[] = [];
  const tag: Tag = { q: [...(given.q ?? [])], config: given.config ?? {} };
  const note = (message: string, cause?: unknown): void => void logged.push([message, cause]);
  // Reports reach the console only where the page asks; all of them pass here.
  const stop = boot({
    wasUnasked: false,
    closeWorker: () => undefined,
    waitFor: () => undefined,
    deferredAddons: [],
    loadDeferred: () => [lateParts()],
    tag,
    project: projectOf(),
    experiment: noExperiment,
    addons: [web, ...(given.addons ?? [])],
    overriding,
    json,
    warn: note,
    log: note,
    loadErrorReports: never,
    fileOf: (name) => ({ url: `https://cdn.example/web.${name}.js`, integrity: '' }),
    loadInspector: () => new Promise(() => undefined),
    loadVitals: never,
    platformOf: () => platform,
  });
  const initialise = (): void =>
    platform.engines
      .at(-1)
      ?.say({ type: 'initialised', membership: { members: ['7'], activations: {} }, migrated: false, transitions: [] });
  initialise();
  const call: Page['call'] = (method, ...args) =>
    (tag[method] as ((...args: readonly unknown[]) => unknown) | undefined)?.(...args);
  const tracked: Page['tracked'] = () =>
    (platform.engines.at(-1)?.heard ?? []).flatMap((message) =>
      Object.hasOwn(message, 'event')
        ? [(message as unknown as { readonly event: { readonly name: string } }).event.name]
        : [],
    );
  return {
    platform,
    tag,
    initialise,
    call,
    tracked,
    logged: () => logged,
    stop: () => {
      stop();
      rxjsConfig.onUnhandledError = null;
    },
    expectWell: () => {
      const before = tracked().length;
      call('track', 'Ordinary', { a: 1 });
      if (tracked().slice(before).join() !== 'Ordinary') throw new Error('An ordinary event was not taken');
      expectClean();
      expectNothingPersonal(logged, platform);
    },
  };
};

/** No prototype has gained anything. */
export const expectClean = (): void => {
  for (const value of [{}, [], () => undefined, '', 0]) {
    if ((value as unknown as Record<string, unknown>)['polluted'] !== undefined)
      throw new Error('A prototype was polluted');
  }
};

const expectNothingPersonal = (logged: readonly (readonly [string, unknown])[], { page }: FakePlatform): void => {
  for (const [message, cause] of logged) {
    const report = JSON.stringify(errorReport({ message, cause }, page, noon, undefined));
    if (report.includes(email) || report.includes(persona))
      throw new Error(`A report holds a value of the page: ${report}`);
  }
};
