import type { Clause } from './clauses';
import type { Story } from './steps';

/** Stories of visitors that the SDK once got wrong, and the clause that each of them broke. */
export const stories: Readonly<Record<string, readonly [Clause, Story]>> = {
  'whose login on another origin makes them another user: the ad server is told nothing of the first': [
    'I1 told',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 2, then: 700 },
        { do: 'login', tab: 2, as: 'anna', then: 700 },
        { do: 'logout', tab: 2, then: 700 },
        { do: 'open', tab: 0, then: 2500 },
        { do: 'open', tab: 0, then: 2500 },
        { do: 'open', tab: 0, then: 11_000 },
        { do: 'close', tab: 0, then: 100 },
        { do: 'login', tab: 0, as: 'anna', then: 700 },
        { do: 'open', tab: 0, then: 7000 },
      ],
    },
  ],
  'whose login on another origin makes them another user: no event has cohorts of the first': [
    'I1 uploaded',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 11_000 },
        { do: 'spa', tab: 0, then: 11_000 },
        { do: 'spa', tab: 0, then: 11_000 },
        { do: 'close', tab: 0, then: 100 },
        { do: 'open', tab: 2, then: 700 },
        { do: 'logout', tab: 2, then: 700 },
        { do: 'open', tab: 0, then: 7000 },
      ],
    },
  ],
  'who leave before the engine has saved, and are another user then: the engine counts nothing of the first': [
    'I6 above',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 100 },
        { do: 'close', tab: 0, then: 100 },
        { do: 'open', tab: 2, then: 700 },
        { do: 'logout', tab: 2, then: 700 },
        { do: 'open', tab: 0, then: 7000 },
      ],
    },
  ],
  'who log in as somebody else, with no other cohorts: the ad server is told the new user': [
    'I1 current',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 100 },
        { do: 'login', tab: 0, as: 'ben', then: 2500 },
        { do: 'logout', tab: 0, then: 7000 },
        { do: 'login', tab: 0, as: 'ben', then: 7000 },
      ],
    },
  ],
  'who log out in one tab while a router moves another one: until that tab hears of it, it knows the user before': [
    'I1 told',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 320_000 },
        { do: 'open', tab: 1, consent: true, then: 7000 },
        { do: 'logout', tab: 0, then: 0 },
        { do: 'spa', tab: 3, then: 0 },
      ],
    },
  ],
  'who have not been asked for consent yet: nothing is erased': [
    'I2 erased',
    {
      consentRequired: true,
      steps: [
        { do: 'open', tab: 0, consent: true, then: 7000 },
        { do: 'open', tab: 2, then: 7000 },
      ],
    },
  ],
  'who have not been asked for consent yet: they stay who they are': [
    'I3 kept',
    {
      consentRequired: true,
      steps: [
        { do: 'open', tab: 0, consent: true, then: 7000 },
        { do: 'open', tab: 2, then: 700 },
        { do: 'consent', tab: 1, given: true, then: 7000 },
      ],
    },
  ],
  'for whom a page is prerendered that is never shown': [
    'I5 prerendered',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 2500 },
        { do: 'prerender', tab: 0, then: 7000 },
        { do: 'close', tab: 0, then: 700 },
      ],
    },
  ],
  'for whom a page is prerendered that is shown later': [
    'I5 prerendered',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 2500 },
        { do: 'prerender', tab: 0, then: 2500 },
        { do: 'activate', tab: 0, then: 7000 },
      ],
    },
  ],
  'who refuse: pages that wait for the SDK go on': [
    'I2 answered',
    { consentRequired: true, steps: [{ do: 'open', tab: 0, consent: false, then: 7000 }] },
  ],
  'who withdraw consent as soon as it was given: calls are answered': [
    'I2 answered',
    {
      consentRequired: true,
      steps: [
        { do: 'open', tab: 0, then: 100 },
        { do: 'consent', tab: 0, given: true, then: 3 },
        { do: 'consent', tab: 0, given: false, then: 7000 },
      ],
    },
  ],
  'who return to a page as another user: the page begins another view': [
    'I1 view',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 7000 },
        { do: 'open', tab: 0, then: 700 },
        { do: 'logout', tab: 0, then: 2500 },
        { do: 'back', tab: 0, then: 7000 },
      ],
    },
  ],
  'who return to a page after more than five minutes: the page begins another view': [
    'I1 view',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 7000 },
        { do: 'open', tab: 0, then: 320_000 },
        { do: 'back', tab: 0, then: 7000 },
      ],
    },
  ],
  'whose hidden page is killed: the engine counts that the view has ended': [
    'I6 completed',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 7000 },
        { do: 'hide', tab: 0, then: 7000 },
        { do: 'crash', tab: 0, then: 700 },
      ],
    },
  ],
  'who refuse on one origin: the other origin knows it': [
    'I2 elsewhere',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, consent: false, then: 2500 },
        { do: 'open', tab: 2, then: 7000 },
      ],
    },
  ],
  'whose page crashes soon: its views count once': [
    'I6 above',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 2500 },
        { do: 'crash', tab: 0, then: 100 },
        { do: 'open', tab: 0, then: 7000 },
      ],
    },
  ],
  'who go from page to page: each view counts once': [
    'I6 above',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 2, then: 100 },
        { do: 'open', tab: 2, then: 700 },
        { do: 'open', tab: 2, then: 11_000 },
      ],
    },
  ],
  'who come for the first time, in two tabs at once: the views of both count': [
    'I6 below',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 2, then: 0 },
        { do: 'open', tab: 3, then: 7000 },
      ],
    },
  ],
  'who leave as soon as they have consented: their view counts': [
    'I6 below',
    {
      consentRequired: true,
      steps: [
        { do: 'open', tab: 0, then: 100 },
        { do: 'consent', tab: 0, given: true, then: 0 },
        { do: 'close', tab: 0, then: 7000 },
      ],
    },
  ],
  'who refuse in one of two tabs and consent at once: nothing of before counts': [
    'I6 above',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 0, then: 60_000 },
        { do: 'open', tab: 1, then: 700 },
        { do: 'consent', tab: 0, given: false, then: 0 },
        { do: 'consent', tab: 0, given: true, then: 2500 },
      ],
    },
  ],
  'whose clock is set back before they become another user: the views of the new user count': [
    'I6 below',
    {
      consentRequired: false,
      steps: [
        { do: 'open', tab: 2, then: 60_000 },
        { do: 'clock', ms: -86_400_000, then: 0 },
        { do: 'open', tab: 0, then: 700 },
        { do: 'logout', tab: 0, then: 60_000 },
        { do: 'open', tab: 2, then: 3 },
      ],
    },
  ],
};
