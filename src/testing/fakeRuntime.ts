import { merge, Subscription } from 'rxjs';

import { answerWithNothing } from '../api/answerWithNothing';
import type { Observer } from '../api/observer';
import type { PublicCalls } from '../api/publicCalls';
import { DecodeError, readAs } from '../model/codecs';
import { type Consent, consentAfter, ConsentRecord, consentRecord, isRefusal } from '../model/consent';
import type { Stage } from '../model/pageContext';
import type { Report } from '../model/report';
import type { FakeVisit } from './fakeVisit';

/* eslint-disable no-restricted-syntax -- plays the runtime: it is part of no bundle */

/** What the runtime of a fake is made with. */
export interface FakeRuntimeDeps {
  readonly calls: PublicCalls;
  /** What follows consent and visits. */
  readonly observers: readonly Observer[];
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
export const fakeRuntime = ({ calls, observers, isRequired, visitOf, report }: FakeRuntimeDeps): FakeRuntime => {
  let members: readonly string[] = [];
  let stage: Stage | undefined;
  let visit: FakeVisit | undefined;
  let consent: Consent | undefined;
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
  const setConsent = (answer: ConsentRecord | null): void => {
    const next = consentAfter(answer, isRequired(), consent);
    if (next === consent) return;
    visiting.unsubscribe();
    following.unsubscribe();
    visit = undefined;
    // Who refuses is forgotten.
    if (isRefusal(next) || (consent !== undefined && isRefusal(consent))) members = [];
    consent = next;
    if (next !== 'given') visiting = answerWithNothing(calls).subscribe();
    following = merge(...observers.map(({ whileConsent }) => whileConsent(next))).subscribe();
    if (next === 'given') begin();
  };
  /** A call that cannot be read is a refusal. */
  const answerOf = (call: unknown): ConsentRecord => {
    const record = readAs(ConsentRecord, call);
    if (!(record instanceof DecodeError)) return consentRecord(record);
    report('Invalid consent', record);
    return { opt_in: false };
  };
  return {
    start: (queued) => {
      void calls.consent$.forEach((call) => setConsent(answerOf(call)));
      setConsent(queued.map(answerOf).at(-1) ?? null);
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
