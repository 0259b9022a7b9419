import { Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import type { AnyAddon } from '../addons/addon';
import type { AddonCheck } from './addonCheck';
import { type RecordEffect, recordingDeps } from './recordingDeps';
import { scriptedPage } from './scriptedPage';
import { subscriptionCounts } from './subscriptionCounts';

/* eslint-disable no-restricted-syntax -- plays the runtime and the world: it is part of no bundle */

/** What an addon did to the world, and what it wants tracked, in order. */
type Effects = readonly string[];

/** When the page starts the addon: virtual ms. */
export const startMs = 100;
/** When the first thing happens on the page: virtual ms. */
export const eventsMs = 1000;
/**
 * When the visit ends: virtual ms. It is long after the last thing has happened, so that timers of the addon have run.
 */
const endMs = 20_000;
/** Time between one thing that happens on the page and the next. */
const stepMs = 700;

/** How one visit is played. */
interface VisitPlan {
  /** When the page calls `permutive.addon(name, options)`: virtual ms. */
  readonly starts: readonly number[];
  /** When the addon is stopped: virtual ms. Default: the end of the visit. */
  readonly stopMs?: number;
  /** Every effect throws. */
  readonly failing?: boolean;
}

/** What came of a visit. */
interface PlayedVisit {
  readonly effects: Effects;
  /** What was done from the first thing that happened on the page to the stop. */
  readonly afterStart: Effects;
  /** What was done after the stop. */
  readonly late: Effects;
  /** Names of the streams that were still subscribed to after the stop. */
  readonly left: readonly string[];
  /** The first error that the addon let through; undefined where there was none. */
  readonly thrown: unknown;
}

/**
 * Plays one visit with the addon in virtual time: it takes no real time, because no timer waits. The scheduler runs the
 * starts, the script of the page and the stop as tasks of their time, and every effect is recorded with the time at
 * which it happened. Never throws: what the addon throws is part of the result.
 */
export const playVisit = (
  addon: AnyAddon,
  trial: AddonCheck,
  { starts, stopMs = endMs, failing = false }: VisitPlan,
): PlayedVisit => {
  const scheduler = new TestScheduler(() => undefined);
  const effects: { readonly at: number; readonly what: string }[] = [];
  const record: RecordEffect = (what) => void effects.push({ at: scheduler.now(), what });
  const counts = subscriptionCounts();
  const left: string[] = [];
  let thrown: unknown;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      thrown ??= error;
    }
  };
  // This also catches what the addon throws from a subscription of its own.
  attempt(() =>
    scheduler.run(({ flush }) => {
      const at = (ms: number, act: () => void): void => void scheduler.schedule(act, ms);
      const page = scriptedPage(counts);
      const deps = { ...recordingDeps(record, { ...trial, failing, now: () => scheduler.now() }), ...trial.deps };
      const options$ = new Subject<unknown>();
      const running = addon
        .run({ ...page.streams, ...trial.streams }, counts.count('options$', options$), deps)
        .subscribe({ next: ({ name }) => record(name), error: () => undefined });
      for (const ms of starts)
        at(ms, () => attempt(() => options$.next(addon.options(trial.options ?? {}, () => undefined))));
      page.script.forEach((act, i) => at(eventsMs + i * stepMs, () => attempt(act)));
      at(stopMs, () => {
        running.unsubscribe();
        left.push(...counts.open());
      });
      flush();
    }),
  );
  // Effects from one time up to, but not including, another.
  const between = (from: number, to = Infinity): Effects =>
    effects.filter(({ at }) => at >= from && at < to).map(({ what }) => what);
  return { effects: between(0), afterStart: between(eventsMs, stopMs), late: between(stopMs + 1), left, thrown };
};
