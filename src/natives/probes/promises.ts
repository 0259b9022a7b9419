import { has } from './probe';

/** Starts a probe, whose answer comes later, or never. */
type LateProbe = (answer: (isGood: boolean) => void) => unknown;

/** Ms between two looks at the answers: polyfills of promises may wait for timers. */
const stepMs = 10;
/** How often the answers are looked at. */
const steps = 20;

/** Waits for a promise as the language does, so that a rejection of which nobody hears is no error of the page. */
const hushed = <A>(promise: Promise<A>): Promise<A> => {
  const wait = async (): Promise<void> => {
    try {
      await promise;
    } catch {
      // The probe itself hears of an error.
    }
  };
  void wait();
  return promise;
};

/** Probes of promises, by the names of the natives. */
export const lateProbes: readonly (readonly [native: string, probe: LateProbe])[] = [
  [
    'Promise.prototype.then',
    (answer) => {
      const one = new Promise<number>((resolve) => resolve(1));
      return one.then((n) => n + 1).then((n) => answer(n === 2));
    },
  ],
  [
    'Promise.prototype.catch',
    (answer) => {
      const failure = new Error('probe');
      const refused = new Promise((_, reject) => reject(failure));
      return hushed(refused)
        .catch((cause: unknown) => cause)
        .then((cause) => answer(cause === failure));
    },
  ],
  [
    'Promise.prototype.finally',
    (answer) => {
      const one = new Promise((resolve) => resolve(1));
      return one.finally(() => undefined).then((n) => answer(n === 1));
    },
  ],
  ['Promise.resolve', (answer) => Promise.resolve(1).then((n) => answer(n === 1))],
  [
    'Promise.all',
    (answer) => hushed(Promise.all([1, new Promise((resolve) => resolve(2))])).then((all) => answer(has(all, 1, 2))),
  ],
  // React, which alone calls it, reads no more of its answer than that it comes. Bluebird’s answer has another form.
  ['Promise.allSettled', (answer) => hushed(Promise.allSettled([1])).then((all) => answer(all.length === 1))],
  ['Promise.race', (answer) => hushed(Promise.race([1])).then((n) => answer(n === 1))],
];

/** Calls back with the name of the first native of promises that does not work; with undefined where all do. */
export const brokenPromise = (
  setTimeout: (step: () => void, ms: number) => unknown,
  onAnswer: (native: string | undefined) => void,
): void => {
  const good: boolean[] = [];
  for (let i = 0; i < lateProbes.length; i += 1) {
    try {
      const made = lateProbes[i]?.[1]((isGood) => (good[i] = isGood));
      if (made instanceof Promise) void hushed(made);
    } catch {
      // A function that throws does not work.
    }
  }
  let looks = 0;
  const look = (): void => {
    let broken: string | undefined;
    for (let i = lateProbes.length - 1; i >= 0; i -= 1) if (good[i] !== true) broken = lateProbes[i]?.[0];
    looks += 1;
    if (broken === undefined || looks === steps) onAnswer(broken);
    else setTimeout(look, stepMs);
  };
  setTimeout(look, 0);
};
