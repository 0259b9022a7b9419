import { ignoreElements, merge, type Observable, Subscription, tap } from 'rxjs';

import type { PublicCalls } from '../api/publicCalls';
import { DecodeError, readAs } from '../model/codecs';
import { ConsentCodec, consentRecord, isConsent } from '../model/consent';
import type { Stage } from '../model/pageContext';
import type { Report } from '../model/report';
import type { Observer } from '../world';
import type { FakeVisit } from './fakeVisit';

/* eslint-disable no-restricted-syntax -- plays the runtime: it is part of no bundle */

/** What the runtime of a fake is made with. */
export interface FakeRuntimeDeps {
  readonly calls: PublicCalls;
  /** Makes what follows consent and visits; `isRefused`: consent is required and missing as the script starts. */
  readonly observersOf: (isRefused: boolean) => readonly Observer[];
  /** Whether consent must be given first. */
  readonly isRequired: () => boolean;
  /** Makes the visit of a visitor who is in these cohorts; `restart` begins another one. */
  readonly visitOf: (members: readonly string[], restart: (done: () => void) => void) => FakeVisit;
  readonly report: Report;
}

/** Consent and visits of a page in a test. */
export interface FakeRuntime {
  /** Starts, with what the page has said of consent so far. */
  readonly start: (queued: readonly unknown[]) => void;
  /** Reaches a stage, in this visit and in those that follow. */
  readonly reach: (stage: Stage) => void;
  /** The visitor is in these cohorts and in no other. */
  readonly setMembers: (members: readonly string[]) => void;
  /** The cohorts of the visitor, or of the one who is to come. */
  readonly members: () => readonly string[];
}

const stages: readonly Stage[] = ['initialised', 'realtime'];

/**
 * Runs one visit after another while there is consent, as the runtime does: observers hear of consent before a visit
 * begins, and without consent the calls of the page are answered with nothing. The first visitor is in the cohorts that
 * were set before the start; one who comes after a refusal or a reset is in none.
 */
export const fakeRuntime = ({ calls, observersOf, isRequired, visitOf, report }: FakeRuntimeDeps): FakeRuntime => {
  let members: readonly string[] = [];
  let stage: Stage | undefined;
  let visit: FakeVisit | undefined;
  let isGiven: boolean | undefined;
  let observers: readonly Observer[] = [];
  let [following, visiting] = [Subscription.EMPTY, Subscription.EMPTY];

  const reached = (): readonly Stage[] => (stage === undefined ? [] : stages.slice(0, stages.indexOf(stage) + 1));
  const begin = (): void => {
    visiting.unsubscribe();
    const begun = visitOf(members, restart);
    visit = begun;
    visiting = merge(begun.run$, ...observers.map(({ whileVisit }) => whileVisit(begun.streams))).subscribe();
    for (const each of reached()) begun.reach(each);
  };
  const restart = (done: () => void): void => {
    members = [];
    begin();
    done();
  };
  const setConsent = (given: boolean): void => {
    if (given === isGiven) return;
    visiting.unsubscribe();
    following.unsubscribe();
    visit = undefined;
    // Who refuses is forgotten.
    if (isGiven !== undefined) members = [];
    isGiven = given;
    following = merge(...observers.map(({ whileConsent }) => whileConsent(given))).subscribe();
    if (given) begin();
    else visiting = withoutConsent(calls).subscribe();
  };
  /** A call that cannot be read is a refusal. */
  const answerOf = (call: unknown): boolean => {
    const record = readAs(ConsentCodec, call);
    if (!(record instanceof DecodeError)) return isConsent(consentRecord(record), isRequired());
    report('Invalid consent', record);
    return false;
  };
  return {
    start: (queued) => {
      void calls.consent$.forEach((call) => setConsent(answerOf(call)));
      const given = queued.map(answerOf).at(-1) ?? isConsent(null, isRequired());
      observers = observersOf(isRequired() && !given);
      setConsent(given);
    },
    reach: (next) => {
      const before = reached();
      if (before.includes(next)) return;
      stage = next;
      for (const each of reached()) if (!before.includes(each)) visit?.reach(each);
    },
    setMembers: (next) => {
      members = next;
      visit?.setMembers(next);
    },
    members: () => members,
  };
};

/** Answers the calls of a page without consent, as the runtime does. */
const withoutConsent = ({ track$, reset$, identify$, explain$ }: PublicCalls): Observable<never> =>
  merge(
    track$.pipe(tap(({ accepted }) => accepted(null))),
    reset$.pipe(tap((done) => done())),
    identify$.pipe(tap(({ done }) => done(null))),
    explain$.pipe(tap(({ tell }) => tell(null))),
  ).pipe(ignoreElements());
