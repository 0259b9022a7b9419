import type { BrowserContext, Frame, Page } from 'playwright-core';

import { localKeys, sessionKeys } from '../../../src/model/storageKeys';
import type { Clause, Violation } from '../../oneVisitor/clauses';
import { forbidden, standings } from '../../oneVisitor/standings';
import { hosts, type Step, type Story, type TabDeed } from '../../oneVisitor/steps';
import { pause } from './pause';
import type { PageEvent, Permutive } from './permutive';
import { show } from './show';
import type { Arrived, Stage } from './stage';
import { until } from './until';

/** Cohorts of the sample project that tell of a number of Pageviews at least. */
const levels: Readonly<Record<string, number>> = { '20401': 1, '20402': 3, '20404': 7 };
/** A cohort whose explanation tells how many Pageviews this browser's engine has. */
const countingCohort = 20404;
/** A real browser lives through each pause, so a long one is cut to so many ms. */
const longestPauseMs = 1000;
/** Ms that an answer takes to the other pages, and their last requests take to the test. */
const answerMs = 1000;
/**
 * Ms that the last pages have to deliver what earlier ones have left: the pause after the failures of a story without
 * a network, which grows with each, is a part of it.
 */
const deliveryMs = 60_000;
/** Ms within which a page that may be answered is answered, on a machine that plays several stories. */
const answeredMs = 30_000;
/** Events that are for the engine alone, and those of which the latest of a view counts. */
const mayStay = [
  'PageviewEngagement',
  'PageviewComplete',
  'UpdateThirdPartyData',
  'UpdateSecondPartyData',
  'UpdateLookalikeModels',
];
/** Ms after which a page has sent, told and stored what it has begun. */
const settleMs = 2500;

/** One document in a real browser. Its number is in its address, and so in the events that arrive. */
interface Document {
  readonly number: string;
  readonly origin: string;
  isOpen: boolean;
  /** Stages at which the page was called back. */
  readonly ready: Set<string>;
}

interface RealTab {
  readonly host: string;
  page: Page | undefined;
  document: Document | undefined;
}

/** What the pages of a story tell the test. */
interface Heard {
  readonly accepted: { readonly id: string; readonly name: string }[];
  readonly violations: Violation[];
}

/** Deeds that a test can do in a real browser. */
export const isPlayable = (step: Step): boolean => !['clock', 'prerender', 'activate'].includes(step.do);

/**
 * Plays a story in Chromium, on two origins of the sample site, and judges what can be seen from outside: requests,
 * what has arrived, cookies, stored keys, the targeting of Google's tag and what the public object answers. `name`
 * makes the documents and logins of the story its own.
 */
export const playOutside = async (name: string, { consentRequired, steps }: Story, stage: Stage): Promise<Heard> => {
  const context = await stage.browser.newContext();
  const { port } = new URL(stage.demo.site);
  const began = Date.now();
  const now = (): number => Date.now() - began;
  const violations: Violation[] = [];
  const accepted: { id: string; name: string }[] = [];
  const documents = new Map<string, Document>();
  const violated = (clause: Clause, what: string): void => void violations.push({ clause, at: now(), what });
  const standing = standings<Document>(consentRequired, {
    now,
    isLive: ({ isOpen }) => isOpen,
    onChange: () => undefined,
  });
  const tabs: RealTab[] = hosts.map((host) => ({
    host: host.replace('example', 'localhost'),
    page: undefined,
    document: undefined,
  }));
  const everyCall = `${stage.demo.api}/**`;
  /** When the visitor, or the publisher, has done last what may change the id. */
  let [opened, mayIdChange, hasRefused] = [0, false, false];
  /** When a page has last been told an answer of the visitor; Infinity while it is told one. */
  let answeredAt = -Infinity;
  let known: string | undefined;

  const documentOf = (url: string): Document | undefined => documents.get(new URL(url).searchParams.get('doc') ?? '');
  await context.exposeBinding('__heard', ({ frame }: { frame: Frame }, kind: string, what: string, id: string) => {
    const document = documentOf(frame.url());
    if (kind === 'ready') document?.ready.add(what);
    // What was accepted before a refusal is erased with it.
    else if (document && standing.of(document) === 'permitted') accepted.push({ id, name: what });
  });
  await context.addInitScript(listenToPage);
  context.on('request', (request) => {
    if (!request.url().startsWith(stage.demo.api)) return;
    const from = request.serviceWorker() === null ? documentOf(request.frame().url()) : undefined;
    if (from === undefined || now() - Math.max(answeredAt, standing.since(from)) < answerMs) return;
    const clause = forbidden[standing.of(from)];
    if (clause) violated(clause, `document ${from.number}: ${request.url().split('?')[0] ?? ''}`);
  });

  const ask = async <A>(page: Page, action: (permutive: Permutive, given: string) => A | Promise<A>, given = '') =>
    (await page.evaluateHandle('window.permutive')).evaluate<A, string>(action as never, given);
  const open = async (tab: RealTab, answer?: boolean): Promise<void> => {
    tab.page ??= await context.newPage();
    if (tab.document) tab.document.isOpen = false;
    const number = `${name}-${(opened += 1)}`;
    const document: Document = { number, origin: tab.host, isOpen: true, ready: new Set() };
    documents.set(number, document);
    tab.document = document;
    standing.start(document);
    const consent = consentRequired ? '&consent=required' : '';
    await tab.page.goto(`http://${tab.host}:${port}/blank?doc=${number}${consent}`);
    if (answer !== undefined) await consentIn(tab.page, document, answer);
  };
  /** `wavers`: the answer comes after consent, in the same task. */
  const consentIn = async (page: Page, document: Document, given: boolean, wavers = false): Promise<void> => {
    if (!given) [hasRefused, mayIdChange] = [true, true];
    if (!given) accepted.length = 0;
    answeredAt = Infinity;
    standing.answer(document, given);
    await ask(
      page,
      (permutive, answers) => {
        for (const answer of answers.split(' '))
          permutive.consent(answer === 'yes' ? { opt_in: true, token: 'CONSENT' } : { opt_in: false });
      },
      `${wavers ? 'yes ' : ''}${given ? 'yes' : 'no'}`,
    );
    answeredAt = now();
  };
  /** Pages can be loaded without a network too: only the API is out of reach. */
  const setOnline = async (isOnline: boolean): Promise<void> => {
    await context.unroute(everyCall);
    if (!isOnline) await context.route(everyCall, (route) => route.abort('internetdisconnected'));
  };
  const take = async (step: Step): Promise<void> => {
    if (step.do === 'network') return setOnline(step.isOnline);
    if (step.do !== 'clock') await takeInTab(step);
  };
  const takeInTab = async (step: TabDeed): Promise<void> => {
    if (step.do === 'open') return open(tabs[step.tab]!, step.consent);
    const showing = tabs.filter(({ page }) => page);
    const tab = showing[step.tab % showing.length];
    if (tab?.page === undefined || tab.document === undefined) return open(tabs[step.tab]!);
    const { page, document } = tab;
    switch (step.do) {
      case 'route':
        return page.evaluate(() =>
          history.pushState(null, '', `${location.pathname}${location.search}&route=${performance.now()}`),
        );
      case 'again':
        return ask(page, (permutive) => permutive.addon('web', { page: {} }));
      case 'spa':
        return ask(page, (permutive) => {
          history.pushState(null, '', `${location.pathname}${location.search}&spa=${performance.now()}`);
          permutive.addon('web', { page: {} });
        });
      case 'login':
        mayIdChange = true;
        return ask(
          page,
          (permutive, id) => void permutive.identify([{ tag: 'internal_id', id }]),
          `${name}-${step.as}`,
        );
      case 'logout':
        mayIdChange = true;
        return ask(page, (permutive) => void (permutive.reset as (() => unknown) | undefined)?.());
      case 'consent':
        return consentIn(page, document, step.given);
      case 'waver':
        return consentIn(page, document, false, true);
      case 'crash':
      case 'close':
        [document.isOpen, tab.page, tab.document] = [false, undefined, undefined];
        return step.do === 'crash' ? crash(context, page) : page.close();
      case 'back':
        return open(tab);
      case 'hide':
      case 'show':
        return show(page, step.do === 'hide' ? 'hidden' : 'visible');
      default:
        return undefined;
    }
  };
  /** Compares the id in the cookie with the one before. */
  const checkId = async (): Promise<void> => {
    const id = (await context.cookies()).find((cookie) => cookie.name === localKeys.userId)?.value;
    // A page that hears of a refusal on the other origin erases the id too.
    const hears = ({ document }: RealTab): boolean =>
      document !== undefined && ['refused', 'elsewhere', 'unsure'].includes(standing.of(document));
    const isRemoved = id === undefined && tabs.some(hears);
    if (known !== undefined && id !== known && !mayIdChange && !isRemoved)
      violated('I3 kept', `${known} has become ${id ?? 'no id'}`);
    known = id ?? (mayIdChange || isRemoved ? undefined : known);
  };
  const checkPage = async ({ page, document }: RealTab): Promise<void> => {
    if (page === undefined || document === undefined) return;
    const stands = standing.of(document);
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    const left = keys.filter((key) => isOurs(key) && key !== localKeys.consent);
    if (stands === 'silent' && left.length > 0) violated('I2 silent', `stored: ${left.join()}`);
    if (stands === 'refused' && left.length > 0) violated('I2 refused', `stored: ${left.join()}`);
    if (stands === 'permitted' || stands === 'refused')
      for (const wanted of ['initialised', 'realtime'])
        await until(() => document.ready.has(wanted) || undefined, `ready('${wanted}')`, answeredMs).catch(() =>
          violated('I2 answered', `ready('${wanted}') on document ${document.number}, ${stands}`),
        );
    if (stands !== 'permitted') return;
    const user = await ask(page, (permutive) => permutive.user());
    const told = await page.evaluate(() => {
      const { googletag } = window as unknown as { googletag?: { getConfig?: (key: string) => Targeting } };
      return googletag?.getConfig?.('targeting').targeting?.['puid'];
    });
    const puid = [told ?? []].flat()[0];
    if (puid !== undefined && puid !== user) violated('I1 current', `Google is told ${puid}, the user is ${user}`);
  };

  /** Gives the pages time to settle, from when they run. */
  const settle = async (): Promise<void> => {
    for (const { document } of tabs)
      if (document && ['permitted', 'refused'].includes(standing.of(document)))
        await until(() => document.ready.has('realtime') || undefined, 'a page', answeredMs).catch(() => undefined);
    await pause(settleMs, 'a page does nothing more of which a test could ask');
  };

  for (const step of steps.filter(isPlayable)) {
    await take(step);
    await pause(Math.min(step.then, longestPauseMs), 'the story says so');
    await checkId();
  }
  await setOnline(true);
  await settle();
  await checkId();
  mayIdChange = false;
  for (const tab of tabs) await checkPage(tab);
  for (const tab of tabs) {
    if (tab.document) tab.document.isOpen = false;
    await tab.page?.close();
    [tab.page, tab.document] = [undefined, undefined];
  }
  const last = [tabs[0]!, tabs[2]!];
  for (const tab of last) await open(tab);
  await settle();
  await checkId();
  for (const tab of last) await checkPage(tab);
  const counted = await Promise.all(
    last.map(async ({ page, document, host }) =>
      page && document && standing.of(document) === 'permitted'
        ? { host, user: await ask(page, (permutive) => permutive.user()), have: await countIn(page, ask) }
        : undefined,
    ),
  );
  const missing = async (): Promise<readonly string[]> => {
    const ids = new Set((await stage.arrived()).map(({ id }) => id));
    return accepted.flatMap((event) => (ids.has(event.id) || mayStay.includes(event.name) ? [] : [event.name]));
  };
  await until(async () => (await missing()).length === 0 || undefined, 'delivery', deliveryMs).catch(() => undefined);
  for (const event of await missing()) violated('I4 delivered', `${event} has not arrived`);
  const events = ofStory(name, await stage.arrived());
  for (const what of foreignCohorts(events)) violated('I1 uploaded', what);
  for (const one of counted) if (one) checkCount(events, one, mayBeLost(steps) || hasRefused, violated);
  await context.close();
  return { accepted, violations };
};

interface Targeting {
  readonly targeting?: Readonly<Record<string, string | readonly string[]>>;
}

/** Tells the test of the page's events and stages. Runs in the page. */
const listenToPage = (): void => {
  const tell = (...said: readonly string[]): void =>
    (window as unknown as { __heard: (...said: readonly string[]) => void }).__heard(...said);
  document.addEventListener('DOMContentLoaded', () => {
    const { permutive } = window as unknown as { permutive?: Permutive };
    if (permutive === undefined) return;
    // What the SDK says of itself has no id.
    permutive.on(/.*/, ({ name, id }: Partial<PageEvent>) => {
      if (name !== undefined && id !== undefined) tell('accepted', name, id);
    });
    for (const stage of ['initialised', 'realtime'] as const)
      void permutive.ready(() => tell('ready', stage, ''), stage);
  });
};

/** The process of the page dies without a word. */
const crash = async (context: BrowserContext, page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash');
  const devtools = await context.newCDPSession(page);
  void devtools.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
};

const isOurs = (key: string): boolean =>
  key.startsWith('permutive-') || key.startsWith('_p') || Object.values<string>(sessionKeys).includes(key);

/** The number of an event's document, and its origin. */
const addressIn = (properties: Arrived['properties']): URL =>
  new URL((properties['client'] as { readonly url?: string } | undefined)?.url ?? 'http://nowhere/');
const docIn = (properties: Arrived['properties']): string => addressIn(properties).searchParams.get('doc') ?? '';

/**
 * The events of a story's documents. A document that is left before the SDK has come leaves its address without the
 * number, so those events are found by their user, whom no other story has.
 */
const ofStory = (name: string, arrived: readonly Arrived[]): readonly Arrived[] => {
  const isNumbered = ({ properties }: Arrived): boolean => docIn(properties).startsWith(`${name}-`);
  const users = new Set(arrived.filter(isNumbered).map(({ user_id }) => user_id));
  return arrived.filter((event) => isNumbered(event) || (docIn(event.properties) === '' && users.has(event.user_id)));
};

/**
 * The Pageviews that may count for a user: their own, and those of documents on which the server has named them. A view
 * goes on there, and so has two users.
 */
const pageviewsOf = (events: readonly Arrived[], user: string): readonly Arrived[] => {
  const own = new Set(events.flatMap(({ user_id, view_id }) => (user_id === user ? [view_id] : [])));
  const named = new Set(
    events.flatMap(({ user_id, view_id, properties }) =>
      user_id !== user && own.has(view_id) ? [docIn(properties)] : [],
    ),
  );
  return events.filter(
    ({ name, user_id, properties }) => name === 'Pageview' && (user_id === user || named.has(docIn(properties))),
  );
};

/** Events whose cohorts tell of more Pageviews than their user can have had by then, on all origins together. */
const foreignCohorts = (events: readonly Arrived[]): readonly string[] =>
  events.flatMap(({ name, user_id, cohorts, time }) => {
    const level = Math.max(0, ...cohorts.map((code) => levels[code] ?? 0));
    const most = pageviewsOf(events, user_id).filter((view) => Date.parse(view.time) <= Date.parse(time)).length;
    return level > most ? [`${name} of ${user_id} tells of ${level} Pageviews, of ${most}`] : [];
  });

/** What the engine of a page says of the Pageviews that it has counted in this browser. */
const countIn = async (
  page: Page,
  ask: (
    page: Page,
    action: (permutive: Permutive, given: string) => Promise<string | null>,
    given: string,
  ) => Promise<string | null>,
): Promise<number> => {
  const words = String(await ask(page, (permutive, code) => permutive.explain(Number(code)), String(countingCohort)));
  const [, have, here] = /has (\d+)(?: \((\d+) on this device\))?/.exec(words) ?? [];
  return Number(here ?? have ?? 0);
};

/** Whether an engine may lack Pageviews: another user came, or a page has crashed. */
const mayBeLost = (steps: Story['steps']): boolean =>
  steps.some((step) => ['login', 'logout', 'crash'].includes(step.do) || (step.do === 'consent' && !step.given));

const checkCount = (
  events: readonly Arrived[],
  { host, user, have }: { readonly host: string; readonly user: string; readonly have: number },
  isUnsure: boolean,
  violated: (clause: Clause, what: string) => void,
): void => {
  const views = pageviewsOf(events, user).filter(({ properties }) => addressIn(properties).hostname === host);
  const of = `of ${user} on ${host}`;
  if (have > views.length) violated('I6 above', `${have} Pageviews ${of}, accepted: ${views.length}`);
  if (have < views.length && !isUnsure) violated('I6 below', `${have} Pageviews ${of}, accepted: ${views.length}`);
};
