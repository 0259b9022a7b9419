import { EMPTY, ignoreElements, of, tap } from 'rxjs';

import packageJson from '../../package.json';
import { addonList } from '../addons/addonList';
import type { Observer } from '../api/observer';
import { publicApi } from '../api/publicApi';
import { publicCalls } from '../api/publicCalls';
import { serviceInputs } from '../api/serviceInputs';
import { hearConsent, queuedCalls, queuedConsent, setMethods, type Tag, take } from '../api/tag';
import { tagObserver } from '../api/tagObserver';
import { settingsFrom } from '../model/config';
import { messageOf } from '../model/errors';
import type { Event } from '../model/event';
import type { Stage } from '../model/pageContext';
import type { Report } from '../model/report';
import type { LoadedPermutive } from '../page/loadedPermutive';
import type { CohortCode, LoadedMethods, PermutiveMethods } from '../page/permutive';
import type { FakeOptions } from './fakeOptions';
import { describedPage, type FakeCall, notedApi, tagWith } from './fakePage';
import { fakeRuntime } from './fakeRuntime';

type FakeMethods = PermutiveMethods & LoadedMethods;

/** A page object for tests, and what a test lets happen to its visitor. */
export interface FakePermutive {
  /** What stands for `window.permutive`. */
  readonly permutive: LoadedPermutive;
  /** The visitor is in these cohorts and in no other. Without consent it has no effect. */
  readonly setCohorts: (codes: readonly CohortCode[]) => void;
  /** The visitor enters cohorts. */
  readonly enter: (...codes: readonly CohortCode[]) => void;
  /** The visitor leaves cohorts. */
  readonly leave: (...codes: readonly CohortCode[]) => void;
  /** The script loads where it has not, and the SDK reaches the stage, those before it included. */
  readonly reach: (stage: Stage) => void;
  /** All calls of the page so far, in their order, those included that wait for the script. */
  readonly calls: () => readonly FakeCall[];
  /** The arguments of each call of one method. */
  readonly callsOf: <Name extends keyof FakeMethods>(method: Name) => readonly Parameters<FakeMethods[Name]>[];
  /** The events that were tracked so far, those of transitions included. */
  readonly events: () => readonly Event[];
  /** What the SDK would have reported: wrong arguments and errors of callbacks, one line each. */
  readonly reports: () => readonly string[];
}

/** The SDK's addons by name, and data that a page gives by `addon` too. */
export const addonNames: readonly string[] = [...Object.keys(addonList), ...serviceInputs];

/**
 * Makes a page object for tests of code that uses `window.permutive`. The methods of the object are the SDK's own, so
 * arguments are checked, queued calls are replayed and consent is kept as on a page: the SDK itself runs behind them,
 * on a browser in memory. There are no queries and no network: cohorts are those that the test sets, the server takes
 * each event, and addons are started in name only. What a page gets after a while comes at once: transitions with the
 * cohorts, and the server's answer in a microtask. The fake starts no timer and touches no global.
 *
 *     const { permutive, enter, callsOf } = fakePermutive({ cohorts: [20101] });
 *     window.permutive = permutive;
 */
export const fakePermutive = (options: FakeOptions = {}): FakePermutive => {
  const { stage = 'realtime', now = () => Date.UTC(2026, 0, 1, 12) } = options;
  const { explanations = {}, refusal = () => undefined } = options;
  const tag = tagWith(options.config);
  const activations = Object.fromEntries(
    Object.entries(options.activations ?? {}).map(([platform, codes]) => [platform, distinctIds(codes)]),
  );
  const [lines, made, events]: [string[], FakeCall[], Event[]] = [[], [], []];
  const report: Report = (message, cause) =>
    void lines.push(cause === undefined ? message : `${message}: ${messageOf(cause)}`);
  const setting = settingsFrom({ page: () => tag['config'], overrides: {}, project: {}, report });
  const calls = publicCalls();
  const dispatch = (name: string, detail: unknown): void =>
    void runtime.outside(() => options.target?.dispatchEvent(new CustomEvent(name, { detail })));
  const api = publicApi({ ...apiFacts(options, tag), dispatch, global: () => undefined, calls, report, now });
  const runtime = fakeRuntime({
    ...{ calls, setting, report, now, activations, explanations, refusal },
    page: describedPage(options.page),
    cohortCodes: options.cohortCodes ?? {},
  });
  const noted = notedApi(api, (call) => made.push(call), runtime);
  const observers = [
    noting((event) => events.push(event)),
    api,
    tagObserver(tag, noted, { report, page: { post: () => undefined } }),
  ];
  /** What the script does when it has loaded, in the order of `boot`. */
  const load = (): void => {
    if (!take(tag, `v${packageJson.version}`)) return;
    setMethods(tag, noted.methods, ['consent']);
    hearConsent(tag, noted);
    // The fake has no inspector, recording or doctor.
    for (const name of ['inspect', 'record', 'recording', 'doctor']) tag[name] = () => Promise.resolve(undefined);
    runtime.start(queuedConsent(tag), observers);
  };
  const reach = (next: Stage): void => {
    runtime.reach(next);
    load();
  };
  const callsSoFar = (): readonly FakeCall[] => [
    ...made,
    ...queuedCalls(tag, () => undefined).map((call) => ({ method: call.functionName, arguments: call.arguments })),
  ];
  runtime.setMembers(distinctIds(options.cohorts ?? []));
  if (stage !== 'loading') reach(stage);
  return {
    // The methods and live properties were put on it as the script puts them on a page's.
    permutive: tag as Tag & LoadedPermutive,
    reach,
    setCohorts: (codes) => runtime.setMembers(distinctIds(codes)),
    enter: (...codes) => runtime.setMembers(distinctIds([...runtime.members(), ...codes])),
    leave: (...codes) => runtime.setMembers(runtime.members().filter((id) => !distinctIds(codes).includes(id))),
    calls: callsSoFar,
    callsOf: <Name extends keyof FakeMethods>(method: Name) =>
      callsSoFar().flatMap((call) => (call.method === method ? [call.arguments as Parameters<FakeMethods[Name]>] : [])),
    events: () => [...events],
    reports: () => [...lines],
  };
};

/** What the public object is told of project, tag and window. */
const apiFacts = ({ cohortCodes = {}, cohortNames = {}, addons = addonNames }: FakeOptions, tag: Tag) => ({
  hasAnswered: () => queuedConsent(tag).length > 0,
  project: { platformCohorts: {}, cohortCodes },
  idsByName$: of(Object.fromEntries(Object.entries(cohortNames).map(([name, code]) => [name, String(code)]))),
  addonNames: addons,
});

/** Tells `note` of each event. */
const noting = (note: (event: Event) => void): Observer => ({
  whileConsent: () => EMPTY,
  whileVisit: ({ event$ }) => event$.pipe(tap(note), ignoreElements()),
});

/** Cohorts as ids, each once. */
const distinctIds = (codes: readonly CohortCode[]): readonly string[] => [...new Set(codes.map(String))];
