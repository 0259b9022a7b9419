import type { Clause } from './clauses';

/** A page of an origin, in virtual time or in a real browser. */
interface OfOrigin {
  readonly origin: unknown;
}

/**
 * What a page may do by what the visitor has said: everything; nothing, because the visitor has not been asked, has
 * refused here, or has refused on another origin of the domain before the page began. `unsure`: an answer elsewhere may
 * have reached the page or not.
 */
export type Standing = 'permitted' | 'silent' | 'refused' | 'elsewhere' | 'unsure';

/** The clause that a page breaks which asks, stores or tells something, by how it stands. */
export const forbidden: Readonly<Partial<Record<Standing, Clause>>> = {
  silent: 'I2 silent',
  refused: 'I2 refused',
  elsewhere: 'I2 elsewhere',
};

/** Pages hear of an answer, or of an erasure, in another tab of their origin within so many ms. */
export const hearMs = 50;

/** What each page may do at each moment. */
export interface Standings<Page extends OfOrigin> {
  readonly of: (page: Page) => Standing;
  /** When it came to stand so; -Infinity where the page knew it at once. */
  readonly since: (page: Page) => number;
  /** Whether the page may not have heard of the last answer yet. */
  readonly isHearing: (page: Page) => boolean;
  /** The page starts, and reads what is stored. */
  readonly start: (page: Page) => void;
  /** The page returns from the back-forward cache. Its own listeners may hear of that before the SDK does. */
  readonly comeBack: (page: Page) => void;
  /** The visitor answers on this page. */
  readonly answer: (page: Page, given: boolean) => void;
  /** The page is shown. An earlier refusal on another origin counts from now on. */
  readonly show: (page: Page) => void;
  /** Whether the visitor has refused on another origin, and the page can know it where it looks. */
  readonly isRefusedElsewhere: (page: Page) => boolean;
}

export interface StandingsDeps<Page> {
  /** Ms since the story began. */
  readonly now: () => number;
  /** Whether the page runs, so that it can hear of an answer. */
  readonly isLive: (page: Page) => boolean;
  /** Hears of each page that stands otherwise than before. */
  readonly onChange: (page: Page) => void;
  /** Ms after which pages see what another page has written to cookies. Default 0. */
  readonly lateMs?: number;
}

/**
 * Follows the answers. Each origin keeps its own; a refusal counts for pages of other origins that start after it,
 * until the visitor consents anywhere.
 */
export const standings = <Page extends OfOrigin>(
  isRequired: boolean,
  { now, isLive, onChange, lateMs = 0 }: StandingsDeps<Page>,
): Standings<Page> => {
  const answers = new Map<unknown, boolean>();
  const known = new Map<Page, { readonly standing: Standing; readonly since: number }>();
  let refusedOn: unknown;
  let refusedAt = Infinity;
  const stored = (origin: unknown): Standing => {
    const given = answers.get(origin);
    if (given === false) return 'refused';
    if (refusedOn !== undefined) return 'elsewhere';
    return given === undefined && isRequired ? 'silent' : 'permitted';
  };
  const stand = (page: Page, standing: Standing, since: number): void => {
    const before = known.get(page)?.standing;
    if (before !== standing || since === -Infinity) known.set(page, { standing, since });
    if (before !== standing) onChange(page);
  };
  const of = (page: Page): Standing => known.get(page)?.standing ?? 'permitted';
  const isRefusedElsewhere = (page: Page): boolean =>
    refusedOn !== undefined && refusedOn !== page.origin && now() - refusedAt > lateMs + hearMs;
  const since = (page: Page): number => known.get(page)?.since ?? -Infinity;
  return {
    of,
    since,
    isHearing: (page) => now() - since(page) < hearMs,
    start: (page) => stand(page, stored(page.origin), -Infinity),
    comeBack: (page) => stand(page, stored(page.origin), now()),
    answer: (page, given) => {
      answers.set(page.origin, given);
      refusedOn = given ? undefined : page.origin;
      refusedAt = now();
      for (const other of known.keys()) {
        if (other === page || !isLive(other)) continue;
        if (other.origin === page.origin) stand(other, given ? 'permitted' : 'refused', now());
        else if (of(other) === (given ? 'elsewhere' : 'permitted')) stand(other, 'unsure', now());
      }
      stand(page, given ? 'permitted' : 'refused', -Infinity);
    },
    show: (page) => {
      if (of(page) === 'unsure' && isRefusedElsewhere(page)) stand(page, 'elsewhere', now());
    },
    isRefusedElsewhere,
  };
};
