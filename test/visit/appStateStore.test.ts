import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import { emptyAppState } from '../../src/visit/appState';
import { storedAppState } from '../../src/visit/appStateStore';
import { entryOf } from '../support/appState';
import { linesOf, reportMock } from '../support/reports';
import { settingsOf } from '../support/settings';

const read = (stored: Readonly<Record<string, string>>, config = {}) => {
  const report = reportMock();
  const state = storedAppState({ local: memoryStorage(stored), json, setting: settingsOf(config), report }).read();
  return { state, reported: linesOf(report) };
};
const stored = '{"core":{"cohorts":{"all":["7"]}}}';

describe('storedAppState', () => {
  it('is empty where nothing is stored', () => {
    expect(read({})).toEqual({ state: emptyAppState, reported: [] });
  });

  it('is what is stored', () => {
    expect(read({ 'permutive-app': stored })).toEqual({ state: { ...emptyAppState, cohorts: ['7'] }, reported: [] });
  });

  it('is read where the page keeps it', () => {
    expect(read({ 'site-app': stored }, { stateNamespace: 'site-app' }).state.cohorts).toEqual(['7']);
  });

  it.each(['', '{', 'undefined', '[object Object]'])('is empty where %p is stored, and that is said', (text) => {
    expect(read({ 'permutive-app': text })).toEqual({
      state: emptyAppState,
      reported: ['Permutive app raised an invalid state: permutive-app: expected JSON'],
    });
  });

  it('loses nothing because its neighbour is broken', () => {
    const broken = { core: 7, eventPublication: { eventUpload: [entryOf('a').stored], pause: 7 } };
    const { state, reported } = read({ 'permutive-app': JSON.stringify(broken) });
    expect(state).toEqual({ ...emptyAppState, queue: [entryOf('a')] });
    expect(reported.every((text) => text.startsWith('Permutive app raised an invalid state: permutive-app/'))).toBe(
      true,
    );
    expect(reported).toHaveLength(2);
  });

  it('parses and reports a text once, and each other text that another tab stores', () => {
    const local = memoryStorage({ 'permutive-app': '{' });
    const parse = jest.fn(json.parse);
    const report = reportMock();
    const appState = storedAppState({ local, json: { ...json, parse }, setting: settingsOf({}), report });
    expect([appState.read(), appState.read()]).toEqual([emptyAppState, emptyAppState]);
    expect([parse.mock.calls.length, report.mock.calls.length]).toEqual([1, 1]);
    local.write('permutive-app', stored);
    expect([appState.read().cohorts, appState.read().cohorts]).toEqual([['7'], ['7']]);
    local.remove('permutive-app');
    expect(appState.read()).toBe(emptyAppState);
    expect([parse.mock.calls.length, report.mock.calls.length]).toEqual([2, 1]);
  });

  it('parses nothing that it has written itself', () => {
    const local = memoryStorage();
    const parse = jest.fn(json.parse);
    const appState = storedAppState({ local, json: { ...json, parse }, setting: settingsOf({}), report: reportMock() });
    const state = { ...emptyAppState, cohorts: ['7'], queue: [entryOf('a')] };
    expect([appState.write(state, local), appState.read()]).toEqual([undefined, state]);
    expect(parse).not.toHaveBeenCalled();
  });
});
