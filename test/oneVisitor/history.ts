import { hasEnded } from '../support/world/clock';
import type { Origin } from '../support/world/origin';
import type { Page } from '../support/world/page';
import type { SeenVisit } from './site';
import { hearMs } from './standings';

/** A Pageview that was accepted, and for whom it may count. */
interface View {
  /** Who did it, and whom the server has named during the same visit: the engine counts the page's events for both. */
  readonly users: Set<string>;
  readonly at: number;
  /** What was stored of it was erased by a refusal or a reset. */
  isErased: boolean;
  /** The engine need not have it: it was erased, another user came, or its page crashed at once. */
  mayBeLost: boolean;
  /** The user at the end of the view, where the engine can know of its end, and when that was. */
  ended: { readonly as: string; readonly at: number } | undefined;
}

/** The visit of a page that goes on at this moment. */
interface CurrentVisit {
  readonly visit: SeenVisit;
  /** Its user when the page was last looked at. */
  user: string;
  readonly views: View[];
}

/** How many Pageviews and completed views of a user an engine may have: so many at most, and at least. */
export interface Bounds {
  readonly most: number;
  readonly least: number;
  /** Pageviews of the user, also those that a refusal or a reset has erased. */
  readonly ever: number;
  readonly leastCompleted: number;
}

/** The Pageviews of an origin's users, as far as an engine may know of them. */
export interface History {
  /** The user of the page's visit at this moment; undefined where it has none. */
  readonly userOf: (page: Page) => string | undefined;
  readonly bounds: (origin: Origin, user: string) => Bounds;
  /** The user of the latest visit of the origin. */
  readonly ownerOf: (origin: Origin) => string | undefined;
  readonly beginVisit: (page: Page, visit: SeenVisit) => void;
  readonly endVisit: (page: Page) => void;
  /** A Pageview is accepted. It ends the view before it. `isLeft`: its page had been left before it could start. */
  readonly addView: (page: Page, isLeft: boolean) => void;
  /** The page's view ends, so that the engine can know of it. */
  readonly endView: (page: Page) => void;
  /** The page ends without a word. */
  readonly crash: (page: Page) => void;
  /** What the origin has stored is erased, by this page. */
  readonly erase: (page: Page) => void;
  /** Whether another page has just erased what the origin has stored, so that this one need not have heard of it. */
  readonly isHearing: (page: Page) => boolean;
  /** What the origin has stored is erased, but for what its pages know, and store again. */
  readonly lose: (origin: Origin) => void;
}

/** An event whose page crashes within so many ms need not be in the engine's store yet. */
const crashMs = 1500;

export const newHistory = (now: () => number): History => {
  const views = new Map<Origin, readonly View[]>();
  const owners = new Map<Origin, string>();
  const visits = new Map<Page, CurrentVisit>();
  const erased = new Map<Origin, { readonly by: Page; readonly at: number }>();
  const viewsOf = (origin: Origin): readonly View[] => views.get(origin) ?? [];
  const userOf = (page: Page): string | undefined => {
    const current = visits.get(page);
    if (current === undefined || hasEnded(page.life)) return undefined;
    const user = current.visit.user();
    if (user !== current.user) current.views.forEach(({ users }) => users.add(user));
    current.user = user;
    if (owners.get(page.origin) !== user) {
      // The engine of another user begins with nothing but the views of the visit.
      for (const view of viewsOf(page.origin)) if (!current.views.includes(view)) view.mayBeLost = true;
      owners.set(page.origin, user);
    }
    return user;
  };
  const endView = (page: Page): void => {
    const user = userOf(page);
    const view = visits.get(page)?.views.at(-1);
    if (view && user !== undefined) view.ended ??= { as: user, at: now() };
  };
  return {
    userOf,
    ownerOf: (origin) => owners.get(origin),
    bounds: (origin, user) => {
      const own = viewsOf(origin).filter(({ users }) => users.has(user));
      const kept = own.filter(({ isErased }) => !isErased);
      const sure = kept.filter(({ mayBeLost }) => !mayBeLost);
      return {
        most: kept.length,
        least: sure.length,
        ever: own.length,
        leastCompleted: sure.filter(({ ended }) => ended?.as === user).length,
      };
    },
    beginVisit: (page, visit) => {
      visits.set(page, { visit, user: visit.user(), views: [] });
      userOf(page);
    },
    endVisit: (page) => void visits.delete(page),
    addView: (page, isLeft) => {
      endView(page);
      const user = userOf(page) ?? '';
      const mayBeLost = isLeft || owners.get(page.origin) !== user;
      const view: View = {
        users: new Set([user]),
        at: now(),
        isErased: false,
        mayBeLost,
        ended: undefined,
      };
      views.set(page.origin, [...viewsOf(page.origin), view]);
      visits.get(page)?.views.push(view);
    },
    endView,
    crash: (page) => {
      for (const view of visits.get(page)?.views ?? []) {
        if (now() - view.at < crashMs) view.mayBeLost = true;
        if (view.ended && now() - view.ended.at < crashMs) view.ended = undefined;
      }
    },
    lose: (origin) => {
      for (const view of viewsOf(origin)) view.mayBeLost = true;
    },
    erase: (page) => {
      erased.set(page.origin, { by: page, at: now() });
      for (const view of viewsOf(page.origin)) [view.isErased, view.mayBeLost] = [true, true];
    },
    isHearing: (page) => {
      const last = erased.get(page.origin);
      return last !== undefined && last.by !== page && now() - last.at < hearMs;
    },
  };
};
