import { type MemoryStorage, memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import { isSampled } from '../../src/telemetry/sampling';
import { settingsOf } from '../support/settings';

const key = 'permutive-data-misc';
const chosen = (random: number, percentage = 20, local: MemoryStorage = memoryStorage()): boolean =>
  isSampled({ local, json, random: () => random, setting: settingsOf({ metricsSamplingPercentage: percentage }) });

describe('isSampled', () => {
  it.each([
    [0.199, 20, true],
    [0.2, 20, false],
    [0, 0, false],
    [0.999, 100, true],
  ])('with %d of %d percent: %s', (random, percentage, expected) => {
    expect(chosen(random, percentage)).toBe(expected);
  });

  it('remembers', () => {
    const local = memoryStorage();
    expect(chosen(0.1, 20, local)).toBe(true);
    expect(chosen(0.9, 20, local)).toBe(true);
    expect(local.all()).toEqual({ [key]: '{"metricsEnabled":true}' });
  });

  it.each([
    [0, true, false],
    [-1, true, false],
    [100, false, true],
    [150, false, true],
  ])('at %d percent does not ask what was chosen before', (percentage, metricsEnabled, expected) => {
    const local = memoryStorage({ [key]: JSON.stringify({ metricsEnabled }) });
    expect(chosen(0.5, percentage, local)).toBe(expected);
  });

  it('chooses again where what is stored makes no sense', () => {
    const local = memoryStorage({ [key]: '{"metricsEnabled":"yes","identities":{}}' });
    expect(chosen(0.9, 20, local)).toBe(false);
    expect(local.all()).toEqual({ [key]: '{"metricsEnabled":false,"identities":{}}' });
  });
});
