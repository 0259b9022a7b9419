import { parse } from 'yaml';

import { pureApis, requireOf, type Template } from './sandbox';

/** A test of a template, in the format of Google Tag Manager's gallery. */
export interface Scenario {
  readonly name: string;
  readonly code: string;
}

/** The section of tests of a template. `setup` runs before each of them. */
export const scenariosOf = (section: string): { readonly scenarios: readonly Scenario[]; readonly setup: string } =>
  parse(section) as { readonly scenarios: readonly Scenario[]; readonly setup: string };

type Mock = (...given: readonly unknown[]) => unknown;

/** What is said of a value. Objects and lists are compared by what they have. */
const assertThat = (value: unknown) => ({
  isEqualTo: (expected: unknown) => expect(value).toStrictEqual(expected),
  isTrue: () => expect(value).toBe(true),
  isDefined: () => expect(value).toBeDefined(),
  hasLength: (length: number) => expect(value).toHaveLength(length),
});

/** Names that the code of a scenario may use. */
export const scenarioNames = ['runCode', 'mock', 'mockObject', 'assertApi', 'assertThat'] as const;

/**
 * Runs a scenario, as the editor of templates does: functions that are not mocked do nothing where they would reach the
 * page, and all calls of functions are on record.
 */
export const runScenario = (template: Template, setup: string, { code }: Scenario): void => {
  const calls = new Map<string, jest.Mock>();
  const recorded = (name: string, mock?: Mock): jest.Mock => {
    const made = jest.fn(mock);
    calls.set(name, made);
    return made;
  };
  const apis: Record<string, unknown> = { ...pureApis };
  for (const name of reaching) apis[name] = recorded(name);
  const known = (name: string): void => {
    if (!Object.hasOwn(apis, name)) throw new Error(`The sandbox has no ${name}`);
  };
  const ends = { gtmOnSuccess: recorded('gtmOnSuccess'), gtmOnFailure: recorded('gtmOnFailure') };
  const callsOf = (name: string): jest.Mock => {
    const made = calls.get(name);
    if (!made) throw new Error(`Calls of ${name} are not on record`);
    return made;
  };

  const tools: Readonly<Record<(typeof scenarioNames)[number], unknown>> = {
    runCode: (data: object) => template(requireOf(apis), { ...data, ...ends }),
    mock: (name: string, mock: unknown) => {
      known(name);
      apis[name] = recorded(name, typeof mock === 'function' ? (mock as Mock) : () => mock);
    },
    mockObject: (name: string, mock: object) => {
      known(name);
      apis[name] = mock;
    },
    assertApi: (name: string) => ({
      wasCalled: () => expect(callsOf(name)).toHaveBeenCalled(),
      wasNotCalled: () => expect(callsOf(name)).not.toHaveBeenCalled(),
      wasCalledWith: (...given: readonly unknown[]) => expect(callsOf(name)).toHaveBeenCalledWith(...given),
    }),
    assertThat,
  };
  const run = functionOf([...scenarioNames], `${setup}\n${code}`);
  run(...scenarioNames.map((name) => tools[name]));
};

/** Functions of the sandbox that reach the page. */
const reaching = [
  'addConsentListener',
  'callInWindow',
  'copyFromWindow',
  'createQueue',
  'injectScript',
  'isConsentGranted',
  'logToConsole',
  'setInWindow',
  'templateStorage',
];

/** Sandboxed code as a function of some names. Sandboxed code is strict. */
export const functionOf = (names: readonly string[], code: string): ((...given: readonly unknown[]) => unknown) =>
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is a file of the repository
  new Function(...names, `'use strict';\n${code}`) as (...given: readonly unknown[]) => unknown;

export const templateOf = (code: string): Template => functionOf(['require', 'data'], code);
