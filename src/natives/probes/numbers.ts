import type { Probes } from './probe';

export const number: Probes = {
  isFinite: () => Number.isFinite(1) && !Number.isFinite(Infinity) && !Number.isFinite('1'),
  isInteger: () => Number.isInteger(1) && !Number.isInteger(1.5) && !Number.isInteger('1'),
  isNaN: () => Number.isNaN(NaN) && !Number.isNaN(1) && !Number.isNaN('a'),
  isSafeInteger: () => Number.isSafeInteger(1) && !Number.isSafeInteger(2 ** 53) && !Number.isSafeInteger('1'),
  parseInt: () => Number.parseInt('12px', 10) === 12,
};

export const math: Probes = {
  abs: () => Math.abs(-2) === 2 && Math.abs(2) === 2,
  ceil: () => Math.ceil(1.2) === 2,
  clz32: () => Math.clz32(1) === 31,
  exp: () => Math.exp(0) === 1,
  floor: () => Math.floor(1.8) === 1,
  imul: () => Math.imul(3, 4) === 12 && Math.imul(0xffffffff, 5) === -5,
  log: () => Math.log(1) === 0 && Math.log(2) > 0.69,
  max: () => Math.max(1, 3, 2) === 3,
  min: () => Math.min(3, 1, 2) === 1,
  random: () => {
    const first = Math.random();
    const second = Math.random();
    return first >= 0 && first < 1 && second >= 0 && second < 1 && first !== second;
  },
  round: () => Math.round(1.5) === 2 && Math.round(-1.4) === -1,
};

/** A time in ms since 1970. */
export const moment = 86_400_000 * 31 + 1;
export const date: Probes = {
  getTime: () => new Date(moment).getTime() === moment && new Date('1970-02-01T00:00:00.001Z').getTime() === moment,
  getUTCDate: () => new Date(moment).getUTCDate() === 1,
  getUTCFullYear: () => new Date(moment).getUTCFullYear() === 1970,
  getUTCHours: () => new Date(moment + 7_200_000).getUTCHours() === 2,
  getUTCMilliseconds: () => new Date(moment).getUTCMilliseconds() === 1,
  getUTCMinutes: () => new Date(moment + 180_000).getUTCMinutes() === 3,
  getUTCMonth: () => new Date(moment).getUTCMonth() === 1,
  getUTCSeconds: () => new Date(moment + 4000).getUTCSeconds() === 4,
  setUTCDate: () => new Date(moment).setUTCDate(2) === moment + 86_400_000,
  setUTCMonth: () => new Date(moment).setUTCMonth(0) === 1,
  toUTCString: () => new Date(moment).toUTCString() === 'Sun, 01 Feb 1970 00:00:00 GMT',
};
