import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import { emptyAppState } from '../../src/visit/appState';
import { readAppState } from '../../src/visit/appStateStore';
import { queuedOf } from '../support/events';
import { linesOf, reportMock } from '../support/reports';
import { settingsOf } from '../support/settings';

const read = (stored: Readonly<Record<string, string>>, config = {}) => {
  const report = reportMock();
  const state = readAppState({ local: memoryStorage(stored), json, setting: settingsOf(config), report });
  return { state, reported: linesOf(report) };
};
const stored = '{"core":{"cohorts":{"all":["7"]}}}';

describe('readAppState', () => {
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
    const broken = {
      core: 7,
      eventPublication: {
        eventUpload: [
          ['a', { event: queuedOf('a') }],
          ['b', null],
        ],
      },
    };
    const { state, reported } = read({ 'permutive-app': JSON.stringify(broken) });
    expect(state).toEqual({ ...emptyAppState, queue: [{ page: '', event: queuedOf('a') }] });
    expect(reported.every((text) => text.startsWith('Permutive app raised an invalid state: permutive-app/'))).toBe(
      true,
    );
    expect(reported).toHaveLength(2);
  });
});
