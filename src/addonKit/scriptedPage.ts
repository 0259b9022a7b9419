import { BehaviorSubject, defer, type Observable, of, Subject } from 'rxjs';

import type { AddonStreams } from '../addons/addon';
import type { Cohorts } from '../model/cohorts';
import type { Transition } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { FormContent, LinkClick, PageExit, PageMessage } from '../model/pageSignal';
import type { Tcf } from '../model/tcf';
import type { SubscriptionCounts } from './subscriptionCounts';

/* eslint-disable no-restricted-syntax -- plays the runtime and the world: it is part of no bundle */

/** A page for the check, and what happens on it. */
export interface ScriptedPage {
  readonly streams: AddonStreams;
  /** Steps that are called one after another; each makes one thing happen on the page. */
  readonly script: readonly (() => void)[];
}

/** What of the page is different from visit to visit. */
interface PageOfCheck {
  /** State: what the consent platform says. */
  readonly tcf$: Observable<Tcf>;
  /** The ad tag that has one of these names. */
  readonly tag: (names: readonly string[]) => unknown;
}

/**
 * A page whose visitor is stored as a member of the cohort 7. In the script, the cohort becomes real-time and is
 * entered, the visitor does something of each kind, the cohort is left, and the page unloads.
 */
export const scriptedPage = (counts: SubscriptionCounts, page: PageOfCheck): ScriptedPage => {
  const subjects = pageSubjects();
  const { cohorts$, transition$, event$, activity$, formSubmission$, linkClick$, pageExit$ } = subjects;
  const transition = (entry: boolean) => (): void => transition$.next({ id: '7', entry, time: 0 });
  return {
    streams: countedStreams(subjects, page, counts),
    script: [
      () => cohorts$.next(cohortsOf(true, '7')),
      transition(true),
      () => event$.next(pageviewEvent),
      () => activity$.next(true),
      () => formSubmission$.next({ method: 'get', properties: [] }),
      () => linkClick$.next({ dest_url: 'https://partner.example/', leaves: true }),
      () => cohorts$.next(cohortsOf(true)),
      transition(false),
      () => pageExit$.next({ step: 'beforeFlush', isUnloading: true }),
      () => pageExit$.next({ step: 'flush', isUnloading: true }),
    ],
  };
};

type PageSubjects = ReturnType<typeof pageSubjects>;

/** The sources behind the streams. States are BehaviorSubjects, so that an addon starts with their current value. */
const pageSubjects = () => ({
  cohorts$: new BehaviorSubject(cohortsOf(false, '7')),
  event$: new Subject<Event>(),
  transition$: new Subject<Transition>(),
  pageExit$: new Subject<PageExit>(),
  activity$: new Subject<unknown>(),
  view$: new BehaviorSubject('view'),
  formSubmission$: new Subject<FormContent>(),
  linkClick$: new Subject<LinkClick>(),
  message$: new Subject<PageMessage>(),
  focusLoss$: new Subject<unknown>(),
});

/** The streams as an addon sees them, each counted under its name. */
const countedStreams = (
  subjects: PageSubjects,
  { tcf$, tag }: PageOfCheck,
  { count }: SubscriptionCounts,
): AddonStreams => {
  const streams = {
    ...subjects,
    transitionsSinceInit$: subjects.transition$,
    evaluatedTransition$: subjects.transition$,
    contextual$: of({}),
    identities$: of({ byTag: new Map(), ready: true }),
    sharing$: of(true),
    tcf$,
  };
  const counted = Object.entries(streams).map(([name, source$]) => [name, count<unknown>(name, source$)]);
  return {
    ...(Object.fromEntries(counted) as { [Name in keyof typeof streams]: Observable<never> }),
    listen: (type) => count(type, subjects.activity$),
    fromTag: <Tag>(names: () => readonly string[]) => defer(() => of(tag(names()) as Tag)),
  };
};

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });

const pageviewEvent: Event = {
  id: 'event',
  name: 'Pageview',
  time: '2026-01-01T12:00:00.000Z',
  properties: {},
  session_id: 'session',
  view_id: 'view',
};
