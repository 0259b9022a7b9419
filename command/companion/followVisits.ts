import { gunzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';

import { dataName } from '../../src/addons/adServer/ortb2';
import { type AdRequest, type AdRequestRow, adRequestRows } from '../../src/inspector/adRequests/adRequest';
import { storedCodes } from '../../src/inspector/adRequests/storedCodes';
import type { Finding } from '../../src/model/finding';
import { askDoctor, pagePatience } from '../doctor/lookAt';
import { answerPatience, within } from '../doctor/saidByPage';
import { adRequestsIn, type FollowedRequest, parsedText } from './bodies';
import { notesKey, noteWrites } from './noteWrites';
import { entriesToldIn, type Write, writesIn } from './writes';

/** From the load of the page to the page's own cohorts. In ms. */
const cohortPatience = 10_000;
/** Ad requests that the page's own cohorts have let go come within this time. In ms. */
const settling = 2_000;

/** What a view has left behind. */
interface Left {
  /** Local storage of the page. */
  readonly stored: Readonly<Record<string, string>>;
  /** What the page tells Prebid's module for this SDK. */
  readonly moduleParams: unknown;
  /** The workspace that the tag names; empty without one. */
  readonly workspace: string;
  /** Calls that write to places which ad requests read, as `noteWrites` has noted them. */
  readonly calls: unknown;
}

/** What was seen of a visitor's two views of a page. */
export interface Followed {
  /** Why the page has not loaded; undefined where it has. */
  readonly pageFailure: string | undefined;
  /** The ad requests of each view. */
  readonly views: readonly (readonly AdRequestRow[])[];
  /** In each view, what scripts have written to the places that ad requests read. */
  readonly writes: readonly (readonly Write[])[];
  /** Whether the first view has left codes for any partner that was asked. */
  readonly hasCodes: boolean;
  /** What the SDK's doctor says of ad requests, and of an experiment, in the second view. */
  readonly findings: readonly Finding[];
}

/** Opens an address as a new visitor, loads it once more, and reads the ad requests of both views. */
export const followVisits = async (browser: Browser, address: string, global: string): Promise<Followed> => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: pageScript });
    const requests = new Map<Request, number>();
    page.on('request', (request) => requests.set(request, Date.now()));
    const views: (readonly AdRequestRow[])[] = [];
    const writes: (readonly Write[])[] = [];
    let before: Left['stored'] = {};
    let hasCodes = false;
    for (const load of [
      () => page.goto(address, { timeout: pagePatience }),
      () => page.reload({ timeout: pagePatience }),
    ]) {
      requests.clear();
      const pageFailure = await load().then(
        (answer) => (answer?.ok() === false ? `it answers with status ${answer.status()}` : undefined),
        (cause: unknown) => String(cause).split('\n')[0],
      );
      if (pageFailure !== undefined) return { pageFailure, views, writes, hasCodes, findings: [] };
      await untilRealtime(page, global);
      const left = await within(answerPatience, page.evaluate(leftBehind, [global, notesKey] as const));
      if (left === undefined) return { pageFailure: 'it does not answer', views, writes, hasCodes, findings: [] };
      const { stored, moduleParams, workspace, calls } = left;
      const written = writesIn(calls, { address: page.url(), workspace });
      const codesIn = (keys: Left['stored'], request: AdRequest): readonly string[] =>
        storedCodes(request, (key) => parsedText(keys[key] ?? 'null'), moduleParams);
      const earlier = before;
      const rows = adRequestRows(adRequestsIn(await withBodies(page, requests)), (request) => ({
        before: codesIn(earlier, request),
        now: codesIn(stored, request),
        entries: entriesToldIn(written, request.partner, dataName(page.url())),
      }));
      views.push(rows);
      writes.push(written);
      hasCodes = rows.some((row) => codesIn(earlier, row).length > 0);
      before = stored;
    }
    const findings = (await askDoctor(page, global)) ?? [];
    return {
      pageFailure: undefined,
      views,
      writes,
      hasCodes,
      findings: findings.filter(({ where }) => where === 'ad requests' || where === 'experiment'),
    };
  } finally {
    // A page that is busy is closed with the browser.
    await within(answerPatience, context.close());
  }
};

/** Waits for the page's own cohorts, but not for ever: a page may wait for consent, or have no SDK. */
const untilRealtime = async (page: Page, global: string): Promise<void> => {
  await within(
    answerPatience,
    page.evaluate(
      ([name, patience]) =>
        new Promise<void>((resolve) => {
          const tag = (
            window as unknown as Record<string, { readonly ready?: (tell: () => void, at: string) => void }>
          )[name];
          setTimeout(resolve, patience);
          tag?.ready?.(resolve, 'realtime');
        }),
      [global, cohortPatience] as const,
    ),
  );
  await page.waitForTimeout(settling);
};

/** Notes calls in the page. Compilers name functions by a helper that the page has not. */
const pageScript = `{ const __name = (named) => named; (${noteWrites.toString()})(${JSON.stringify(notesKey)}); }`;

/** Runs in the page. */
const leftBehind = ([global, key]: readonly [global: string, key: string]): Left => {
  const { pbjs } = window as unknown as { readonly pbjs?: { readonly getConfig?: (name: string) => unknown } };
  const config = pbjs?.getConfig?.('realTimeData') as
    { readonly dataProviders?: readonly { readonly name?: string; readonly params?: unknown }[] } | undefined;
  const params = config?.dataProviders?.find(({ name }) => name === 'permutive')?.params;
  let stored: Record<string, string> = {};
  try {
    stored = Object.fromEntries(Object.entries(localStorage));
  } catch {
    // The page may not have storage.
  }
  const page = window as unknown as Record<string, unknown>;
  const { workspaceId, projectId } =
    (page[global] as { readonly config?: Readonly<Record<string, unknown>> } | undefined)?.config ?? {};
  return {
    stored,
    // Functions among the parameters cannot leave the page.
    moduleParams: params === undefined ? undefined : JSON.parse(JSON.stringify(params)),
    workspace: [workspaceId, projectId].find((id) => typeof id === 'string') ?? '',
    calls: page[key],
  };
};

/** The requests of the present document and its frames. `requests`: when each was heard of, in ms since 1970. */
const withBodies = async (page: Page, requests: ReadonlyMap<Request, number>): Promise<readonly FollowedRequest[]> => {
  const origin =
    (await within(
      answerPatience,
      page.evaluate(() => performance.timeOrigin),
    )) ?? Date.now();
  return [...requests].map(([request, heardAt]) => {
    const { startTime } = request.timing();
    return {
      url: request.url(),
      body: bodyText(request.postDataBuffer()),
      // A request without an answer has no start.
      at: Math.max(0, (startTime > 0 ? startTime : heardAt) - origin),
    };
  });
};

/** Bytes of a body that are read at most. Bidders are told less. */
const maxBody = 10_000_000;

/** A body as text; some bidders are sent gzip. Of a body that is too large no text is read. */
export const bodyText = (body: Buffer | null): string => {
  if (body === null) return '';
  try {
    return (
      body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: maxBody }) : body.subarray(0, maxBody)
    ).toString('utf8');
  } catch {
    return '';
  }
};
