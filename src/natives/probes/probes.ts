import { map, set, weakMap, weakSet } from './collections';
import { array } from './lists';
import { date, math, moment, number } from './numbers';
import { buffer, bytes, callable, jsonMembers, others, sum } from './others';
import { has, type Probe, type Probes } from './probe';
import { child, object } from './tables';
import { string } from './texts';

const named = (owner: string, probes: Probes): readonly (readonly [string, Probe])[] => {
  const all: (readonly [string, Probe])[] = [];
  const start = owner === '' ? '' : `${owner}.`;
  // What a page has added to all objects is no probe.
  for (const name in probes)
    if (Reflect.getOwnPropertyDescriptor(probes, name)) all[all.length] = [start + name, probes[name] as Probe];
  return all;
};

/** All probes that answer at once, in lists, by the names of the natives. */
export const probes: readonly (readonly (readonly [native: string, probe: Probe])[])[] = [
  named('Array.prototype', array),
  named('String.prototype', string),
  named('Object', object),
  named('Number', number),
  named('Math', math),
  named('Date.prototype', date),
  named('Map.prototype', map),
  named('Set.prototype', set),
  named('WeakMap.prototype', weakMap),
  named('WeakSet.prototype', weakSet),
  named('Uint8Array.prototype', bytes),
  named('Function.prototype', callable),
  named('JSON', jsonMembers),
  named('ArrayBuffer', buffer),
  named('', others),
  [
    ['Array.isArray', () => Array.isArray([]) && !Array.isArray({ length: 0 })],
    // RxJS copies lists by it, and nothing else.
    ['Array.from', () => has(Array.from([1, 2]), 1, 2)],
    ['Array.prototype[Symbol.iterator]', () => has([...[1, 2]], 1, 2)],
    ['Map.prototype[Symbol.iterator]', () => has([...new Map([['a', 1]])][0] as readonly unknown[], 'a', 1)],
    ['Set.prototype[Symbol.iterator]', () => has([...new Set([1, 2])], 1, 2)],
    ['String.prototype[Symbol.iterator]', () => has([...'ab'], 'a', 'b')],
    ['String.fromCodePoint', () => String.fromCodePoint(97, 0x1f600) === 'a\u{1F600}'],
    ['String.fromCharCode', () => String.fromCharCode(97, 98) === 'ab'],
    ['Number.prototype.toString', () => (255).toString(16) === 'ff' && (35).toString(36) === 'z' && `${1.5}` === '1.5'],
    ['Date.now', () => Date.now() > 1_577_836_800_000 && Math.abs(Date.now() - new Date().getTime()) < 60_000],
    ['Date', () => new Date(moment).getTime() === moment],
    ['Object.prototype.hasOwnProperty', () => hasOwnProperty('own') && !hasOwnProperty('inherited')],
    ['RegExp.prototype.exec', () => has(/a(\d)/.exec('ba1') ?? [], 'a1', '1') && /a/.exec('b') === null],
    ['RegExp.prototype.test', () => /a\d/.test('ba1') && !/a/.test('b')],
    ['Reflect.getOwnPropertyDescriptor', () => Reflect.getOwnPropertyDescriptor({ a: 1 }, 'a')?.value === 1],
    ['Reflect.apply', () => Reflect.apply(sum, { start: 1 }, [2]) === 3],
    ['Reflect.get', () => Reflect.get({ a: 1 }, 'a') === 1],
    [
      'Reflect.set',
      () => {
        const target = { a: 1 };
        return Reflect.set(target, 'a', 2) && target.a === 2;
      },
    ],
    ['Reflect.construct', () => (Reflect.construct(Array, [1, 2]) as readonly number[]).length === 2],
    ['Promise', () => new Promise(() => undefined) instanceof Promise],
  ],
];

const hasOwnProperty = (name: string): boolean => child().hasOwnProperty(name);

/** The probe's answer; no where it throws. */
const isGood = (probe: Probe): boolean => {
  try {
    return probe();
  } catch {
    return false;
  }
};

/** The name of the first native that does not work; undefined where all do. */
export const brokenNative = (): string | undefined => {
  for (let i = 0; i < probes.length; i += 1) {
    const list = probes[i] as readonly (readonly [string, Probe])[];
    for (let k = 0; k < list.length; k += 1) {
      const one = list[k] as readonly [string, Probe];
      if (!isGood(one[1])) return one[0];
    }
  }
  return undefined;
};
