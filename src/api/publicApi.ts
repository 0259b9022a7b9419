import { ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import { codeOf } from '../model/cohort';
import type { CodeTables } from '../model/cohorts';
import type { Consent } from '../model/consent';
import type { IdsByName } from '../model/definedCohorts';
import type { PageContext } from '../model/pageContext';
import type { Report } from '../model/report';
import { perform } from '../operators/creators/perform';
import type { Page, Tools } from '../platform/platform';
import { isoText } from '../primitives/isoDate';
import { answer, type ApiPart, type Methods } from './apiPart';
import { cohortMethods } from './cohortMethods';
import { listenersOf } from './listeners';
import type { Observer, VisitStreams } from './observer';
import { publicArguments } from './publicArguments';
import type { PublicCalls } from './publicCalls';
import { readyMethod } from './readyMethod';
import { startupMethod } from './startupMethod';
import { trackCalls } from './trackCalls';
import { visitorMethods } from './visitorMethods';
import { type Zones, zonesOf } from './zones';

/**
 * `dispatch` announces consent and stages to pages; `global` finds zone.js; `report` hears what a method would
 * otherwise throw.
 */
export interface PublicApiDeps extends Pick<Tools, 'report' | 'now'>, Pick<Page, 'dispatch' | 'global'> {
  /** Where the calls of its methods go. */
  readonly calls: PublicCalls;
  /** Whether the page's queue has an answer about consent. Asked once, at the start. */
  readonly hasAnswered: () => boolean;
  /** Codes of the project's cohorts on each platform. */
  readonly project: CodeTables;
  /** Names that `permutive.addon` accepts. */
  readonly addonNames: readonly string[];
  /** Ids of cohorts by the names that the publisher gives them. Cold. */
  readonly idsByName$: Observable<IdsByName>;
}

/**
 * The object that publishers see: its methods and its live properties. The object is an observer: it follows each
 * visit, so that its answers are current, and announces consent.
 */
export interface PublicApi extends Observer {
  /** The public methods by name. No method throws. */
  readonly methods: Methods;
  /** The instances of started addons by name: `permutive.addons`. */
  readonly addons: Readonly<Record<string, unknown>>;
  /** The value of `permutive.context`: user, session, view and page; empty without consent. */
  readonly context: () => Partial<PageContext>;
  /**
   * The public streams, for addon authors and pages. The streams are hot and continue from visit to visit; they never
   * complete.
   */
  readonly streams: Readonly<Record<'cohorts$' | 'transitions$' | 'events$', Observable<unknown>>>;
}

/**
 * Makes the public object of its parts. Each part has some of the methods and follows the visits for them. No method
 * throws into the page (spec C§4).
 */
export const publicApi = (deps: PublicApiDeps): PublicApi => {
  const { calls, hasAnswered, project, addonNames, report, idsByName$, now, dispatch } = deps;
  const given = publicArguments(report);
  const listeners = listenersOf(report);
  /** Tells listeners of `permutive.on`, and dispatches the same name on `window`. */
  const announce = (name: string): void => {
    listeners.event({ name, time: isoText(now()) });
    dispatch(name, {});
  };
  // Undefined until the first visit, and again once consent has gone.
  let context: (() => PageContext) | undefined;
  const visitorAndEvents: ApiPart = {
    methods: {
      on: (name, onEvent) => listeners.on(name, given.callback('on', 1, onEvent), false),
      once: (name, onEvent) => listeners.on(name, given.callback('once', 1, onEvent), true),
      user: (onUser) => answer(context?.().user_id ?? null, given.callback('user', 0, onUser)),
    },
    follow: (visit) => {
      ({ context } = visit);
      return visit.event$.pipe(tap(listeners.event));
    },
    forget: () => {
      context = undefined;
      listeners.forget();
    },
  };
  const parts = [
    visitorAndEvents,
    cohortMethods(given, listeners, calls, project, idsByName$),
    trackCalls(calls, given),
    visitorMethods(calls, addonNames, report),
    readyMethod(given, announce),
    startupMethod(),
  ].map(ownFields);
  const streams = visitStreams();
  let before: Consent | undefined;
  return {
    methods: guardedMethods(
      Object.assign({}, ...parts.map(({ methods }) => methods)) as Methods,
      calls,
      zonesOf(deps),
      report,
    ),
    addons: calls.instances,
    context: () => context?.() ?? {},
    streams: streams.public,
    whileConsent: (consent) =>
      perform(() => {
        const isGiven = consent === 'given';
        // First of all, so that listeners of the announcement find nothing of the visitor.
        for (const { forget, onConsent } of parts) {
          if (!isGiven) forget?.();
          onConsent?.(consent);
        }
        if (isAnswer(consent, before, hasAnswered)) announce(isGiven ? 'consent-given' : 'consent-revoked');
        before = consent;
      }),
    whileVisit: (visit) =>
      merge(...parts.map(({ follow }) => follow?.(visit) ?? []), streams.follow(visit)).pipe(ignoreElements()),
  };
};

/**
 * Whether the visitor has given or revoked something (spec C§4). A start with what holds already does neither, nor does
 * a visitor who was not asked yet. `before`: the state until then; undefined at the start.
 */
const isAnswer = (consent: Consent, before: Consent | undefined, hasAnswered: () => boolean): boolean =>
  before === undefined ? hasAnswered() : consent !== 'unasked' || before === 'given';

/**
 * `permutive.cohorts$`, `transitions$` and `events$`. The page holds on to them, so they are the same for all visits.
 */
const visitStreams = () => {
  const [cohorts$, transitions$, events$] = [new Subject(), new Subject(), new Subject()];
  return {
    public: {
      cohorts$: cohorts$.asObservable(),
      transitions$: transitions$.asObservable(),
      events$: events$.asObservable(),
    },
    follow: (visit: VisitStreams): Observable<unknown> =>
      merge(
        visit.cohorts$.pipe(tap(({ members }) => cohorts$.next(members.map(codeOf)))),
        visit.transition$.pipe(tap((transition) => transitions$.next(transition))),
        visit.event$.pipe(tap((event) => events$.next(event))),
      ),
  };
};

/**
 * Wraps the methods so that an error is reported instead of thrown into the page. Each call is answered by the consent
 * of its moment. Each call leaves the zone of the page, to which its callbacks return.
 */
const guardedMethods = (
  methods: Methods,
  { recheck }: PublicCalls,
  { outside, returning }: Zones,
  report: Report,
): Methods =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => {
        try {
          const given = args.map(returning);
          return outside(() => {
            recheck();
            return method(...given);
          });
        } catch (error) {
          report(`Function permutive.${name} caused an error`, error);
          return undefined;
        }
      },
    ]),
  );
