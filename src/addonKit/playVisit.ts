import { ReplaySubject, Subject, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import type { AnyAddon } from '../addons/addon';
import type { EventDraft } from '../model/event';
import type { Tcf } from '../model/tcf';
import type { AddonCheck } from './addonCheck';
import type { AddonEffect, RecordEffect } from './effect';
import { recordingDeps } from './recordingDeps';
import { scriptedPage } from './scriptedPage';
import { subscriptionCounts } from './subscriptionCounts';

/* eslint-disable no-restricted-syntax -- plays the runtime and the world: it is part of no bundle */

/** When the page starts the addon: virtual ms. */
export const startMs = 100;
/** When the first thing happens on the page: virtual ms. */
export const eventsMs = 1000;
/** Time between one thing that happens on the page and the next. */
export const stepMs = 700;
/**
 * When the visit ends: virtual ms. The end is long after the last thing has happened, so that timers of the addon have
 * run.
 */
export const endMs = 20_000;

/** What the consent platform says of all vendors from a moment on. */
interface VendorAnswer {
  readonly atMs: number;
  readonly granted: boolean;
}

/** How one visit is played. */
interface VisitPlan {
  /** When the page calls `permutive.addon(name, options)`: virtual ms. */
  readonly starts: readonly number[];
  /** When the addon is stopped: virtual ms. Default: the end of the visit. */
  readonly stopMs?: number;
  /** Every effect throws. */
  readonly failing?: boolean;
  /** Answers of the page's consent platform. Default: the page has no platform, and every vendor may be used. */
  readonly answers?: readonly VendorAnswer[];
}

/** What came of a visit: what the addon did to the world, and what it wanted tracked. */
export interface PlayedVisit {
  readonly effects: readonly AddonEffect[];
  /** What was done from one moment up to, but not including, another: virtual ms. */
  readonly between: (fromMs: number, toMs?: number) => readonly AddonEffect[];
  /** Names of the streams that were still subscribed to after the stop. */
  readonly left: readonly string[];
  /** The first error that the addon let through; undefined where there was none. */
  readonly thrown: unknown;
  /** TCF vendors whose consent the addon has asked for. */
  readonly vendors: readonly number[];
  /** How long the starts have kept the thread, in ms of `clock`. */
  readonly startTookMs: number;
}

/**
 * Plays one visit with the addon in virtual time: it takes no real time, because no timer waits. The scheduler runs the
 * starts, the script of the page and the stop as tasks of their time, and every effect is recorded with the time at
 * which it happened. Never throws: what the addon throws is part of the result.
 */
export const playVisit = (
  addon: AnyAddon,
  trial: AddonCheck,
  { starts, stopMs = endMs, failing = false, answers }: VisitPlan,
): PlayedVisit => {
  const scheduler = new TestScheduler(() => undefined);
  const timed: { readonly at: number; readonly effect: AddonEffect }[] = [];
  const record: RecordEffect = (effect) => void timed.push({ at: scheduler.now(), effect });
  const counts = subscriptionCounts();
  const left: string[] = [];
  const vendors = new Set<number>();
  const { attempt, timeStart, thrown, startTookMs } = watchedClock(trial.clock);
  // The hook also catches what the addon throws from a subscription of its own.
  attempt(() =>
    scheduler.run(({ flush }) => {
      const at = (ms: number, act: () => void): void => void scheduler.schedule(act, ms);
      const tcf$ = new ReplaySubject<Tcf>(1);
      const tell = (granted: boolean, status: Tcf['status']): void =>
        tcf$.next(scriptedTcf(granted, status, (vendor) => vendors.add(vendor)));
      if (answers === undefined) tell(true, 'missing');
      const world = recordingDeps(record, { trial, failing, now: () => scheduler.now() });
      const page = scriptedPage(counts, { tcf$, tag: world.tag });
      const options$ = new Subject<unknown>();
      const running = new Subscription();
      timeStart(() => {
        const streams = { ...page.streams, ...trial.streams };
        const event$ = addon.run(streams, counts.count('options$', options$), { ...world.deps, ...trial.deps });
        const next = ({ name }: EventDraft): void => record({ kind: 'event', what: name, text: '' });
        running.add(event$.subscribe({ next, error: () => undefined }));
      });
      for (const { atMs, granted } of answers ?? []) at(atMs, () => attempt(() => tell(granted, 'loaded')));
      for (const ms of starts)
        at(ms, () => timeStart(() => options$.next(addon.options(trial.options ?? {}, () => undefined))));
      page.script.forEach((act, i) => at(eventsMs + i * stepMs, () => attempt(act)));
      at(stopMs, () => {
        running.unsubscribe();
        left.push(...counts.open());
      });
      flush();
    }),
  );
  return {
    effects: timed.map(({ effect }) => effect),
    between: (fromMs, toMs = Infinity) =>
      timed.filter(({ at }) => at >= fromMs && at < toMs).map(({ effect }) => effect),
    left,
    thrown: thrown(),
    vendors: [...vendors],
    startTookMs: startTookMs(),
  };
};

/** Calls the addon, keeps the first error that it lets through, and measures how long its starts take. */
const watchedClock = (
  // eslint-disable-next-line no-restricted-globals -- the check has no page: it runs where addons are made
  clock: NonNullable<AddonCheck['clock']> = () => performance.now(),
) => {
  let thrown: unknown;
  let startTookMs = 0;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      thrown ??= error;
    }
  };
  return {
    attempt,
    timeStart: (act: () => void): void => {
      const since = clock();
      attempt(act);
      startTookMs += clock() - since;
    },
    thrown: () => thrown,
    startTookMs: () => startTookMs,
  };
};

/** What a consent platform says that gives or refuses consent for every vendor. `onAsked` hears which are asked for. */
const scriptedTcf = (granted: boolean, status: Tcf['status'], onAsked: (vendorId: number) => void): Tcf => ({
  status,
  gdprApplies: status === 'loaded',
  tcString: status === 'loaded' ? 'TC' : '',
  vendorConsent: (vendorId) => {
    onAsked(vendorId);
    return granted;
  },
  purposeConsent: () => granted,
  isRestricted: () => false,
});
