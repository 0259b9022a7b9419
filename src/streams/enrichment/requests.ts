import { catchError, combineLatest, defer, delayWhen, map, type Observable, of, tap, timer } from 'rxjs';

import { DecodeError } from '../../codecs/codecs';
import { type Addresses, type ContentUrlDeps, contentUrls } from '../../contracts/contentUrl';
import { call, type CallDeps } from '../../endpoints/call';
import { geoip } from '../../endpoints/geoip';
import { lateMs } from '../../endpoints/lateFailures';
import { watson } from '../../endpoints/watson';
import type { Data, PageDataName } from '../../model/engineCommands';
import type { ClientContext, Event, Properties, Tracked } from '../../model/event';
import type { PageContext } from '../../model/pageContext';
import { pageviewFields } from '../../model/project';
import type { Report } from '../../model/report';
import { localKeys } from '../../model/storageKeys';
import { shareState } from '../../operators/shareState';
import { boundedProperties } from '../boundedProperties';
import { type Answers, contextOf, filled, flatGeoip, noAnswers } from './fields';
import { type Kept, type KeptDeps, readKept } from './kept';
import { placeholdersIn } from './placeholders';

/** What the servers are asked with, and where their answers are kept. */
export interface AskDeps extends CallDeps, KeptDeps {
  /** The session of this moment, whose later pages get what is kept. */
  readonly sessionId: () => string;
}

/** Asks the servers. Cold; emits one answer, or the error of the call. */
export const askServer = {
  /** The place that was kept in the session, else the server's answer. An address is not kept, so it is asked for. */
  geoip: (include: readonly string[], deps: AskDeps): Observable<Answers['geoip']> =>
    defer(() => {
      const kept = geoip.answer(readKept(deps.sessionId(), deps).geoip);
      if (!(kept instanceof DecodeError) && !include.includes('ip')) return of(kept);
      return call(geoip, { query: include.map((part) => ['include', part] as const) }, deps).pipe(
        tap((answer) => keepGeoip(answer, deps)),
      );
    }),
  /** What the page at that address is about. What is kept may be of an older version of the page, so it is asked. */
  watson: (url: string, deps: AskDeps): Observable<Answers['watson']> =>
    call(watson, { body: { url, classify: true } }, deps).pipe(tap((answer) => keepWatson(url, answer, deps))),
};

/** Pages whose classification is kept, and how long the text of all may be. The oldest pages are dropped. */
const maxKeptPages = 10;
const maxKeptLength = 30_000;

/** Keeps the visitor's place for the session, without the address, which no later page has asked for. */
const keepGeoip = ({ geo_info = null, isp_info = null, ip_hash = null }: Answers['geoip'], deps: AskDeps): void => {
  const place = { geo_info, isp_info, ip_hash };
  write({ ...readKept(deps.sessionId(), deps), geoip: place }, deps);
};

/** Keeps the classification of a page for the session, in the form in which Pageviews carry it. */
const keepWatson = (url: string, answer: Answers['watson'], deps: AskDeps): void => {
  // Read again, because other tabs write it too.
  const kept = readKept(deps.sessionId(), deps);
  const page = { url, classifications: filled(pageviewFields.classifications, { ...noAnswers, watson: answer }) };
  write({ ...kept, pages: [...kept.pages.filter((other) => other.url !== url), page].slice(-maxKeptPages) }, deps);
};

const write = (kept: Kept, deps: AskDeps): void => {
  const text = deps.json.stringify(kept);
  if (text.length <= maxKeptLength) deps.local.write(localKeys.pageData, text);
  else if (kept.pages.length > 0) write({ ...kept, pages: kept.pages.slice(1) }, deps);
};

/**
 * The state of one thing that is asked for: the place, or the content of the page at one address.
 *
 *     idle ──somebody asks──► asked ──answer──► known
 *                                └───failure──► failed
 *
 * Another view begins with idle content, and with an idle place where the place has failed.
 */
type Asked<Answer> =
  { readonly state: 'idle' } | { readonly state: 'asked'; readonly end$: Observable<Ended<Answer>> } | Ended<Answer>;

/** The end of a request. The answer is empty where the request has failed. */
interface Ended<Answer> {
  readonly state: 'failed' | 'known';
  readonly answer: Answer;
}

/** The ends of requests by name; undefined where there is none. */
type Ends = { readonly [Name in keyof Answers]: Ended<Answers[Name]> | undefined };

/** The things of one name in their states, by what was asked for; idle things have no entry. */
type Things<Name extends keyof Answers> = Map<string, Asked<Answers[Name]>>;

/** What requests are made with. */
export interface RequestsDeps extends AskDeps, Addresses, ContentUrlDeps {
  /** Whether the page wants the content of the present view classified. */
  readonly isClassified: () => boolean;
  /** Emits when the visit ends; requests that are under way are then aborted. */
  readonly stop$: Observable<unknown>;
}

/** The requests of one visit. Many that ask for the same cost one request, and get its end in one value. */
export interface Requests {
  /**
   * The place. With `withAddress` the answer has the visitor's IP address too, which is asked for only where a page
   * names it (spec S§3).
   */
  readonly geoip: (withAddress?: boolean) => Observable<Ended<Answers['geoip']>>;
  /** The content of the page at that address; known and empty where it is not classified, or has no address. */
  readonly watson: (url: string) => Observable<Ended<Answers['watson']>>;
  /** A view of that address has begun. */
  readonly openView: (url: string) => void;
  /** How the latest requests for the place, and for the content of an address, have ended. */
  readonly ends: (url: () => string) => Ends;
}

/** Parts of the place that are always asked for. The IP address is not among them. */
const geoipParts = ['geo', 'isp', 'ip_hash'];

/** Makes the requests of one visit. None is sent before somebody subscribes to its end. */
export const requests = (deps: RequestsDeps): Requests => {
  // In this view. Requests of earlier views go on for the events that wait for them.
  let geoipAsked: Things<'geoip'> = new Map();
  let watsonAsked: Things<'watson'> = new Map();
  // The latest ends, in whichever view. Content by address, because a late answer may be of a page that was left.
  let geoipEnd: Ends['geoip'];
  const watsonEnds = new Map<string, Ends['watson']>();

  /** Sends the request of an idle thing. All who ask for the thing get the same end; a failure is reported. */
  const ask = <Name extends keyof Answers>(
    name: Name,
    things: Things<Name>,
    key: string,
    answer$: Observable<Answers[Name]>,
    note: (end: Ended<Answers[Name]>) => unknown,
  ): Observable<Ended<Answers[Name]>> => {
    const thing = things.get(key) ?? { state: 'idle' };
    if (thing.state === 'asked') return thing.end$;
    if (thing.state !== 'idle') return of(thing);
    const end$ = answer$.pipe(
      map((answer) => ({ state: 'known', answer }) as const),
      catchError((cause: unknown) => {
        deps.report(`Error fetching ${name}`, cause);
        return of({ state: 'failed', answer: noAnswers[name] } as const);
      }),
      tap((end) => {
        things.set(key, end);
        note(end);
      }),
      shareState(deps.stop$),
    );
    things.set(key, { state: 'asked', end$ });
    return end$;
  };

  return {
    geoip: (withAddress = false) =>
      defer(() => {
        const include = withAddress ? [...geoipParts, 'ip'] : geoipParts;
        return ask('geoip', geoipAsked, include.join(), askServer.geoip(include, deps), (end) => (geoipEnd = end));
      }),
    watson: (url) =>
      defer(() =>
        deps.isClassified() && url !== ''
          ? ask('watson', watsonAsked, url, askServer.watson(url, deps), (end) => watsonEnds.set(url, end))
          : of({ state: 'known', answer: noAnswers.watson } as const),
      ),
    openView: (url) => {
      watsonAsked = new Map();
      if (geoipEnd?.state === 'failed') geoipAsked = new Map();
      for (const other of [...watsonEnds.keys()]) if (other !== url) watsonEnds.delete(other);
    },
    // Most pages have no content that is classified, and are asked for what is known again and again.
    ends: (url) => ({ geoip: geoipEnd, watson: watsonEnds.size > 0 ? watsonEnds.get(url()) : undefined }),
  };
};

/** Fills events and lookups with the answers of the servers. */
export interface Filling {
  /** The event with its placeholders replaced, once their requests have ended. Emits once. */
  readonly fill: <A extends Tracked>(tracked: A) => Observable<A>;
  /** The event with its placeholders replaced by what is known now. */
  readonly fillNow: <A extends Tracked>(tracked: A) => A;
  readonly lookup: (name: PageDataName, url: string) => Observable<Data>;
  /** A view has begun with this event. */
  readonly openView: (event: Event) => void;
  /** What has been answered of the visitor and of the page of the present view. */
  readonly known: () => Pick<PageContext, 'geoip' | 'watson'>;
}

/** Makes the filling of one visit. The filling is part of the deferred chunk. */
export const filling = (deps: RequestsDeps): Filling => {
  const asked = requests(deps);
  const contentUrl = contentUrls(deps, deps);
  return {
    // Only what the placeholders need is asked for.
    fill: (tracked) => {
      const wanted = placeholdersIn(tracked.event.properties);
      return combineLatest({
        geoip: wanted.some(isOfGeoip) ? asked.geoip(wanted.includes('$ip_address')) : of(undefined),
        watson: wanted.every(isOfGeoip) ? of(undefined) : asked.watson(contentUrl(tracked.event)),
      }).pipe(map((ends) => filledWith(tracked, ends, deps.report)));
    },
    fillNow: (tracked) =>
      filledWith(
        tracked,
        asked.ends(() => contentUrl(tracked.event)),
        deps.report,
      ),
    lookup: (name, url) =>
      name === 'geo'
        ? lookupAnswer(asked.geoip()).pipe(map((answer) => ({ geo: flatGeoip(answer) })))
        : lookupAnswer(asked.watson(url)).pipe(map((answer) => ({ classification: answer }))),
    openView: (event) => asked.openView(contentUrl(event)),
    known: () => contextOf(answersOf(asked.ends(contentUrl))),
  };
};

/** The answer for a lookup. With a failure it is empty, and comes late: a page that goes must not lose its cohorts. */
const lookupAnswer = <Answer>(end$: Observable<Ended<Answer>>): Observable<Answer> =>
  end$.pipe(
    delayWhen(({ state }) => (state === 'failed' ? timer(lateMs) : of(null))),
    map(({ answer }) => answer),
  );

/** Whether a placeholder stands for the visitor's place, and not for the page's content. */
const isOfGeoip = (name: string): boolean => name.startsWith('$ip');

const answersOf = ({ geoip, watson }: Ends): Partial<Answers> => ({
  ...(geoip && { geoip: geoip.answer }),
  ...(watson && { watson: watson.answer }),
});

/**
 * The event with its placeholders replaced. Data that has no room in an event is dropped. The client context has no
 * placeholders: it says what the page says of itself. Placeholders whose data is not known go to the server.
 */
const filledWith = <A extends Tracked>(tracked: A, ends: Ends, report: Report): A => {
  const { draft, event } = tracked;
  const { client, ...others } = event.properties;
  const answers = { ...noAnswers, ...answersOf(ends) };
  const isUnknown = (name: string): boolean => (isOfGeoip(name) ? ends.geoip : ends.watson)?.state !== 'known';
  const propertiesWith = (isLeft?: (name: string) => boolean): Properties =>
    boundedProperties(event.name, filled(others, answers, isLeft), client as ClientContext, report);
  return {
    ...tracked,
    draft: placeholdersIn(event.properties).some(isUnknown)
      ? { ...draft, requiresEnrichment: true, unfilled: propertiesWith(isUnknown) }
      : draft,
    event: { ...event, properties: propertiesWith() },
  };
};
