import { of, throwError } from 'rxjs';

import { localKeys } from '../../src/model/storageKeys';
import type { Platform } from '../../src/platform/platform';
import type { BrowserTraits } from '../support/world/browser';
import type { Clause } from './clauses';
import type { Story } from './steps';

const late: BrowserTraits = { lateMs: 200, hasCookieStore: false, lingerMs: 0 };
const lateTold: BrowserTraits = { lateMs: 200, hasCookieStore: true, lingerMs: 0 };
const told: BrowserTraits = { lateMs: 0, hasCookieStore: true, lingerMs: 0 };

/** Two tabs of an origin; the visitor is reset in the second one, three times. */
const resets: Story['steps'] = [
  { do: 'open', tab: 0, then: 2500 },
  { do: 'open', tab: 1, then: 2500 },
  { do: 'logout', tab: 1, then: 2500 },
  { do: 'logout', tab: 1, then: 2500 },
  { do: 'logout', tab: 1, then: 2500 },
];
/** The visitor refuses in one tab, while a tab of the other origin is hidden, and is shown later. */
const refusedElsewhere: Story['steps'] = [
  { do: 'open', tab: 2, then: 2500 },
  { do: 'hide', tab: 0, then: 700 },
  { do: 'open', tab: 0, then: 2500 },
  { do: 'consent', tab: 0, given: false, then: 700 },
  { do: 'show', tab: 1, then: 2500 },
  { do: 'spa', tab: 1, then: 7000 },
];
/** The visitor gives consent and withdraws it at once, in one of two tabs that wait for an answer. */
const wavering: Story['steps'] = [
  { do: 'open', tab: 0, then: 700 },
  { do: 'open', tab: 1, then: 700 },
  { do: 'waver', tab: 1, then: 2500 },
];

/** Stories of visitors whose pages share cookies, as `stories.ts` has others. */
export const sharedCookieStories: Readonly<Record<string, readonly [Clause, Story]>> = {
  'who are reset while another tab sees cookies late: they stay who they have become': [
    'I3 kept',
    { consentRequired: false, traits: late, steps: resets },
  ],
  'who are reset while another tab is told of cookies late: they stay who they have become': [
    'I3 kept',
    { consentRequired: false, traits: lateTold, steps: resets },
  ],
  'who refuse on another origin: a tab that is open asks nothing more once it is shown': [
    'I2 open',
    { consentRequired: false, steps: refusedElsewhere },
  ],
  'who refuse on another origin, with cookies that are seen late: a tab that is open asks nothing more': [
    'I2 open',
    { consentRequired: false, traits: late, steps: refusedElsewhere },
  ],
  'who refuse on another origin: a tab that is not shown sends nothing of what it tracks': [
    'I2 open',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 2, then: 2500 },
        { do: 'open', tab: 0, then: 2500 },
        { do: 'consent', tab: 0, given: false, then: 700 },
        { do: 'spa', tab: 1, then: 7000 },
      ],
    },
  ],
  'who refuse on another origin, in a browser that tells of cookies: a tab that is open stops by itself': [
    'I2 open',
    { consentRequired: false, traits: told, steps: refusedElsewhere },
  ],
  'who give consent and withdraw it in one task: no other tab begins a visit': [
    'I2 wavering',
    { consentRequired: true, traits: late, steps: wavering },
  ],
};

type Break = (platform: Platform) => Platform;

/** Nobody knows since when an id counts. */
const timelessIds: Break = ({ cookies, local, ...platform }) => ({
  ...platform,
  cookies: { ...cookies, read: (name) => (name === localKeys.userSince ? undefined : cookies.read(name)) },
  local: { ...local, read: (key) => (key === localKeys.userSince ? null : local.read(key)) },
});

/** The page never sees the refusal of another origin, and hears of no change of cookies. */
const shortSighted: Break = ({ cookies, listen, ...platform }) => ({
  ...platform,
  listen: (target, type) => (target === 'cookieStore' ? throwError(() => new TypeError()) : listen(target, type)),
  cookies: { ...cookies, read: (name) => (name === localKeys.consent ? undefined : cookies.read(name)) },
});

/** An answer is stored and told at once, whatever follows in its task. */
const hasty: Break = (platform) => ({ ...platform, endOfTask: () => of(undefined) });

/** What breaks these clauses, by what is broken. */
export const sharedCookieFaults: Readonly<Record<string, readonly [Clause, Break, Story]>> = {
  'ids of which nobody knows the later one': [
    'I3 kept',
    timelessIds,
    { consentRequired: false, traits: late, steps: resets },
  ],
  'a page that does not see the refusal of another origin': [
    'I2 open',
    shortSighted,
    { consentRequired: false, steps: refusedElsewhere },
  ],
  'consent that is told at once': ['I2 wavering', hasty, { consentRequired: true, traits: late, steps: wavering }],
};
