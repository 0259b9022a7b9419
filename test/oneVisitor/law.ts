import type { Event } from '../../src/model/event';
import { localKeys, partnerKeys } from '../../src/model/storageKeys';
import type { BrowserTraits, FakeBrowser } from '../support/world/browser';
import { isLive } from '../support/world/clock';
import type { Origin } from '../support/world/origin';
import type { Page } from '../support/world/page';
import type { Use } from '../support/world/use';
import type { Clause, Violation } from './clauses';
import { newHistory } from './history';
import { levelIn, levelOf, levelOfPixel, type Probe, type SeenVisit } from './site';
import { forbidden, type Standing, standings } from './standings';
import { viewJudge } from './views';

/** What the judge notes of a page. */
interface PageNotes {
  bootedAt: number;
  /** When the visitor was last active, by the visitor's clock, and in which view. */
  lastActivity: { readonly at: number; readonly view: string } | undefined;
  /** A view that must not go on, because the visitor came back too late. */
  endedView: string | undefined;
  /** The page has come back, and goes on with the visit that it was frozen in until another one begins. */
  isReturning: boolean;
  hiddenAt: number;
  /** When the page's latest view began. */
  viewAt: number;
  /** When a prerendered page was shown, by the visitor's clock. */
  shownAt: number;
  /** Calls of `reset` that the page has not carried out. */
  resets: number;
  /** The page has called `identify`. */
  hasIdentified: boolean;
  /** The page was left before its script had started. */
  isLeftEarly: boolean;
  /** The stages at which the page was called back. */
  readonly ready: Set<string>;
  /** The page was open when the visitor refused on another origin, and was shown after that. */
  isFoundOpen: boolean;
  /** Without consent, when the visitor gave and withdrew consent in one task in another tab. */
  isWavered: boolean;
}

/** What was noted when an event was accepted. */
interface AcceptedEvent {
  readonly event: Event;
  readonly origin: Origin;
  readonly user: string;
  /** The most Pageviews that its cohorts may tell of. */
  readonly most: number;
  readonly at: number;
  /** The visitor has refused since then, so that it need not be delivered. */
  isForgotten: boolean;
}

/** A page that was hidden for so many ms has told its engine. */
const hiddenMs = 1500;
/** A view goes on after a return for so many ms since its last activity (spec C§9). */
const viewWindowMs = 300_000;
/** Ms after which everything that a page has begun is over. */
const settledMs = 3000;
/** Keys of local storage under which the codes of cohorts are stored. */
const codeKeys: readonly string[] = [partnerKeys.all, partnerKeys.googleAdManager, localKeys.appState];

/** Judges what happens in a browser. Whoever plays a story tells it what the visitor does, before it happens. */
export interface Judge extends Probe {
  readonly violations: readonly Violation[];
  /** `queued`: the answer about consent that the page's snippet has left. */
  readonly onBoot: (page: Page, queued: boolean | undefined) => void;
  readonly onUse: (page: Page, use: Use) => void;
  readonly onReady: (page: Page, stage: string) => void;
  readonly onConsent: (page: Page, given: boolean) => void;
  /** Consent is given and withdrawn in one task. */
  readonly onWaver: (page: Page) => void;
  readonly onLogin: (page: Page) => void;
  readonly onReset: (page: Page) => void;
  readonly onLeave: (page: Page | undefined) => void;
  readonly onCrash: (page: Page) => void;
  readonly onReturn: (page: Page) => void;
  readonly onShow: (page: Page) => void;
  readonly onHide: (page: Page, isHidden: boolean) => void;
  /** The visitor's clock is set, so that it tells no durations any more. */
  readonly onClock: () => void;
  /** Nothing has happened for some seconds. */
  readonly onSettled: () => void;
  /** The server has all that it will get. */
  readonly onEnd: () => void;
  /** What the engine of a page has counted of its user. */
  readonly onCounted: (page: Page, pageviews: number, completions: number) => void;
  readonly standingOf: (page: Page) => Standing;
}

/** Makes the judge of a story. `now`: ms since it began. */
export const judgeOf = (
  browserOf: () => FakeBrowser,
  { isRequired, lateMs, hasCookieStore }: { readonly isRequired: boolean } & BrowserTraits,
  now: () => number,
): Judge => {
  const violations: Violation[] = [];
  const notes = new Map<Page, PageNotes>();
  const accepted = new Map<string, AcceptedEvent>();
  const viewUsers = new Map<string, { readonly user: string; readonly visit: SeenVisit }>();
  const history = newHistory(now);
  const standing = standings<Page>(isRequired, {
    now,
    lateMs,
    isLive: ({ life }) => isLive(life),
    onChange: (page) => {
      // A page that may have heard of a refusal on another origin may go on with its visit.
      if (!['permitted', 'unsure'].includes(standing.of(page))) history.endVisit(page);
    },
  });
  const ids = idChanges();
  const views = viewJudge((clause, what) => violated(clause, what));
  let isClockStepped = false;

  const violated = (clause: Clause, what: string): void => void violations.push({ clause, at: now(), what });
  const notesOf = (page: Page): PageNotes => {
    const found = notes.get(page) ?? {
      bootedAt: Infinity,
      lastActivity: undefined,
      endedView: undefined,
      isReturning: false,
      hiddenAt: Infinity,
      viewAt: -Infinity,
      shownAt: -Infinity,
      resets: 0,
      hasIdentified: false,
      isLeftEarly: false,
      ready: new Set<string>(),
      isFoundOpen: false,
      isWavered: false,
    };
    notes.set(page, found);
    return found;
  };
  const forget = (isMeant: (event: AcceptedEvent) => boolean): void => {
    for (const event of accepted.values()) event.isForgotten ||= isMeant(event);
  };
  const answer = (page: Page, given: boolean): void => {
    if (!given) {
      ids.allow();
      history.erase(page);
      forget(() => true);
    }
    standing.answer(page, given);
  };

  /**
   * A page carries out `reset` and `identify` later than it is told to, where its engine has not answered yet, or where
   * the visitor has not been asked for consent. It tells the server first.
   */
  const notePageCall = (page: Page, use: Use): void => {
    if (use.door !== 'request') return;
    const noted = notesOf(page);
    if (use.url.includes('/identify') && noted.hasIdentified) ids.allow();
    if (!use.url.includes('/reset') || noted.resets === 0) return;
    noted.resets -= 1;
    ids.allow();
    history.erase(page);
  };
  const checkConsent = (page: Page, use: Use): void => {
    if (page.isPrerendering && (isTold(use) || isErasure(use))) violated('I5 prerendered', said(page, use));
    const mustKnow = use.door === 'request' || (hasCookieStore && isTold(use));
    if (mustKnow && standing.of(page) === 'unsure' && standing.isRefusedElsewhere(page))
      violated('I2 open', said(page, use));
    if (standing.isHearing(page)) return;
    if (isTold(use) && standing.of(page) === 'elsewhere' && notesOf(page).isFoundOpen)
      violated('I2 open', said(page, use));
    const clause = forbidden[standing.of(page)];
    if (clause && isTold(use)) violated(clause, said(page, use));
    if (standing.of(page) === 'silent' && isErasure(use)) violated('I2 erased', said(page, use));
  };
  const checkId = (page: Page, use: Use): void => {
    if (use.door !== 'cookie' || use.key !== localKeys.userId) return;
    const before = ids.change(use.text, ['refused', 'elsewhere', 'unsure'].includes(standing.of(page)));
    if (before !== undefined) violated('I3 kept', `${said(page, use)}, was ${short(before)}`);
  };
  /** How many Pageviews a page may know of the user: where it cannot have heard of a reset yet, those of before too. */
  const mostFor = (page: Page, user: string): number => {
    const { most, ever } = history.bounds(page.origin, user);
    return history.isHearing(page) ? ever : most;
  };
  const checkLevel = (clause: Clause, what: string, level: number, most: number, user: string): void => {
    if (level > most) violated(clause, `${what} ${level} Pageviews of ${short(user)}, who has ${most}`);
  };
  const checkStored = (origin: Origin, key: string, text: string, user: string): void =>
    checkLevel('I1 stored', `${key} tells of`, levelIn(key, text), history.bounds(origin, user).most, user);
  const checkUser = (page: Page, use: Use): void => {
    const { origin } = page;
    const user = history.userOf(page);
    if (use.door === 'google' && use.key === 'puid' && typeof use.text === 'string') {
      const codes = page.googletag.targeting.get('permutive');
      checkLevel('I1 told', `page ${page.number} tells Google of`, levelOf(codes), mostFor(page, use.text), use.text);
    }
    if (user === undefined) return;
    if (use.door === 'pixel')
      checkLevel('I1 told', `page ${page.number} has a pixel for`, levelOfPixel(use.url), mostFor(page, user), user);
    // What a page stores as it returns is of the visit that is about to begin. It is checked once all is quiet.
    if (use.door === 'local' && codeKeys.includes(use.key) && use.text !== null && !notesOf(page).isReturning)
      checkStored(origin, use.key, use.text, user);
  };
  const checkView = (page: Page, visit: SeenVisit, user: string, { name, view_id, time }: Event): void => {
    const { endedView, shownAt } = notesOf(page);
    const before = viewUsers.get(view_id);
    if (before && before.user !== user && before.visit !== visit)
      violated('I1 view', `${name} of ${short(user)} is in a view of ${short(before.user)}`);
    viewUsers.set(view_id, { user, visit });
    if (name !== 'Pageview') return;
    if (view_id === endedView && !isClockStepped)
      violated('I1 view', `page ${page.number} goes on with a view that has ended`);
    if (Date.parse(time) < shownAt) violated('I5 prerendered', `page ${page.number} was shown after its Pageview`);
  };
  const checkAnswers = (page: Page): void => {
    const stands = standing.of(page);
    if (stands !== 'permitted' && stands !== 'refused') return;
    for (const stage of ['initialised', 'realtime'])
      if (!notesOf(page).ready.has(stage))
        violated('I2 answered', `ready('${stage}') on page ${page.number}, ${stands}`);
    if (stands === 'refused' && !isThenable(page.call('track', 'AfterRefusal')))
      violated('I2 answered', `track on page ${page.number} after a refusal`);
  };
  const checkSettled = (page: Page): void => {
    const user = history.userOf(page);
    if (user !== undefined) {
      const told = page.googletag.targeting.get('puid')[0];
      if (told !== undefined && told !== user)
        violated('I1 current', `page ${page.number} of ${short(user)} tells Google ${short(told)}`);
      if (history.ownerOf(page.origin) === user)
        for (const key of codeKeys) checkStored(page.origin, key, page.origin.local.get(key) ?? 'null', user);
    }
    checkAnswers(page);
  };

  return {
    violations,
    standingOf: standing.of,
    onBoot: (page, queued) => {
      notesOf(page).bootedAt = now();
      if (queued !== undefined) answer(page, queued);
      standing.start(page);
    },
    onUse: (page, use) => {
      // It has heard of a refusal on another origin. Other pages of its own origin may go on with what they know.
      const isErased = use.door === 'store' && use.text === null;
      if (isErased && ['elsewhere', 'unsure'].includes(standing.of(page))) {
        history.lose(page.origin);
        forget((event) => event.origin === page.origin);
      }
      notePageCall(page, use);
      checkConsent(page, use);
      checkId(page, use);
      checkUser(page, use);
    },
    onReady: (page, stage) => void notesOf(page).ready.add(stage),
    onConsent: (page, given) => {
      for (const noted of notes.values()) noted.isWavered = false;
      answer(page, given);
    },
    onWaver: (page) => {
      for (const [other, noted] of notes) noted.isWavered = other !== page && standing.of(other) !== 'permitted';
      answer(page, false);
    },
    onLogin: (page) => void (notesOf(page).hasIdentified = true),
    onReset: (page) => void (notesOf(page).resets += 1),
    onVisit: (page, visit) => {
      notesOf(page).isReturning = false;
      if (notesOf(page).isWavered) violated('I2 wavering', `page ${page.number} begins a visit`);
      history.beginVisit(page, visit);
    },
    onEvent: (page, visit, event) => {
      // A page that is left before the first task of its script starts in the dispatch of `pagehide`, which no listener
      // hears that is added then. So it sends its events, and cannot know that it should leave them to another engine.
      if (event.name === 'Pageview') {
        history.addView(page, notesOf(page).isLeftEarly);
        notesOf(page).viewAt = now();
      }
      const user = visit.user();
      const { ever } = history.bounds(page.origin, user);
      accepted.set(event.id, {
        event,
        origin: page.origin,
        user,
        // A frozen page knows the cohorts of its user, whatever was erased meanwhile.
        most: notesOf(page).isReturning ? ever : mostFor(page, user),
        at: now(),
        // A page that returns may track before it has heard of a refusal.
        isForgotten: ['refused', 'elsewhere'].includes(standing.of(page)),
      });
      checkView(page, visit, user, event);
      views.onEvent(visit, event);
      if (event.name !== 'PageviewComplete')
        notesOf(page).lastActivity = { at: browserOf().wall(), view: event.view_id };
    },
    onLeave: (page) => {
      if (page === undefined) return;
      notesOf(page).isLeftEarly = !page.isBooted;
      history.endView(page);
    },
    onCrash: (page) => {
      history.crash(page);
      const { hiddenAt, viewAt } = notesOf(page);
      // A view that begins while its page is hidden has nothing to complete as long as nobody sees it.
      if (viewAt <= hiddenAt && hiddenAt + hiddenMs < now()) history.endView(page);
    },
    onReturn: (page) => {
      const { lastActivity } = notesOf(page);
      const isLate = lastActivity !== undefined && browserOf().wall() - lastActivity.at >= viewWindowMs;
      notesOf(page).endedView = isLate ? lastActivity.view : undefined;
      notesOf(page).isReturning = true;
      notesOf(page).isLeftEarly = false;
      standing.comeBack(page);
    },
    onShow: (page) => void (notesOf(page).shownAt = browserOf().wall()),
    onHide: (page, isHidden) => {
      notesOf(page).hiddenAt = isHidden ? Math.min(notesOf(page).hiddenAt, now()) : Infinity;
      if (isHidden || !page.isHidden) return;
      standing.show(page);
      notesOf(page).isFoundOpen = standing.of(page) === 'elsewhere';
    },
    onClock: () => void (isClockStepped = true),
    onSettled: () => {
      ids.settle();
      for (const [page, { bootedAt }] of notes)
        if (isLive(page.life) && !page.isPrerendering && now() - Math.max(bootedAt, standing.since(page)) >= settledMs)
          checkSettled(page);
    },
    onEnd: () => {
      const { arrived } = browserOf().server;
      views.onEnd(arrived);
      const users = new Map<string, string>();
      for (const { id, name, user_id, cohorts } of arrived) {
        const before = users.get(id);
        users.set(id, user_id);
        const event = accepted.get(id);
        const level = levelOf(cohorts);
        if (before !== undefined) violated('I4 once', `${name} as ${short(before)} and as ${short(user_id)}`);
        else if (event === undefined) violated('I4 once', `${name} was never accepted`);
        else if (event.user !== user_id)
          violated('I1 uploaded', `${name} of ${short(event.user)} as ${short(user_id)}`);
        else if (level > event.most)
          violated('I1 uploaded', `${name} of ${short(user_id)} tells of ${level} Pageviews, of ${event.most}`);
      }
      // Of the completions of a view, the last one counts; what the first one has told is not told again.
      const completed = new Set(arrived.flatMap(({ name, view_id }) => (name === 'PageviewComplete' ? [view_id] : [])));
      const isToldBefore = ({ name, view_id }: Event): boolean => name === 'PageviewComplete' && completed.has(view_id);
      for (const { event, isForgotten, at, user } of accepted.values())
        if (!isForgotten && !users.has(event.id) && !isToldBefore(event))
          violated('I4 delivered', `${event.name} of ${short(user)}, accepted at ${at}`);
    },
    onCounted: (page, pageviews, completions) => {
      const user = history.userOf(page);
      if (user === undefined) return;
      const { most, least, leastCompleted } = history.bounds(page.origin, user);
      const of = `of ${short(user)} on ${page.origin.host}`;
      if (pageviews > most) violated('I6 above', `${pageviews} Pageviews ${of}, accepted: ${most}`);
      if (pageviews < least) violated('I6 below', `${pageviews} Pageviews ${of}, accepted: ${least}`);
      if (completions > most) violated('I6 above', `${completions} completions ${of}, Pageviews: ${most}`);
      if (completions < leastCompleted)
        violated('I6 completed', `${completions} completions ${of}, ended: ${leastCompleted}`);
    },
  };
};

/** Follows the id in the cookie, which changes only where somebody has asked for it. */
const idChanges = () => {
  let [known, allowed] = [undefined as string | undefined, 0];
  return {
    /** Somebody refuses, resets or identifies: the id may change once. */
    allow: (): void => void (allowed += 1),
    /** Nothing is under way any more that could change the id. */
    settle: (): void => void (allowed = 0),
    /** The id becomes another one; null: it is removed. Answers the id before where it should have stayed. */
    change: (id: string | null, isRefused: boolean): string | undefined => {
      const before = known;
      if (before === undefined || before === id) {
        known = id ?? undefined;
        return undefined;
      }
      const isAllowed = isRefused || allowed > 0;
      if (isAllowed && id !== null) allowed -= 1;
      // After a removal that was due, the next id is nobody's successor.
      if (id !== null || isAllowed) known = id ?? undefined;
      return isAllowed ? undefined : before;
    },
  };
};

/** Whether something is asked, stored or told, other than the answer about consent. */
const isTold = (use: Use): boolean => {
  if (use.door === 'request' || use.door === 'pixel') return true;
  return use.text !== null && !isAnswer(use);
};
/** Whether something that was stored is removed, other than the answer about consent. */
const isErasure = (use: Use): boolean => 'had' in use && use.had && use.text === null && !isAnswer(use);
const isAnswer = (use: Use): boolean =>
  (use.door === 'local' || use.door === 'cookie') && use.key === localKeys.consent;

const short = (user: string): string => `user ${Number(user.slice(-12))}`;

const said = (page: Page, use: Use): string => {
  const where = `page ${page.number} on ${page.origin.host}: ${use.door}`;
  return 'url' in use
    ? `${where} ${use.url.split('?')[0] ?? ''}`
    : `${where} ${use.key} ${use.text === null ? 'removed' : 'written'}`;
};

const isThenable = (answer: unknown): boolean =>
  typeof (answer as PromiseLike<unknown> | undefined)?.then === 'function';
