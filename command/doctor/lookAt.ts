import type { Browser, ConsoleMessage, Page } from 'playwright-core';

import type { Finding } from '../../src/model/finding';
import { sessionKeys } from '../../src/model/storageKeys';
import type { OutsideFacts } from './outsideFindings';
import { answerPatience, cutText, findingsIn, maxAnswer, maxMessages, within } from './saidByPage';

/** A page that is well has loaded by then. In ms. */
export const pagePatience = 30_000;
/** From the load of the page to the methods of the SDK. In ms. */
const startPatience = 10_000;

/** Opens an address as a new visitor, with the SDK's messages in the console, and asks the SDK's doctor. */
export const lookAt = async (browser: Browser, address: string, global: string): Promise<OutsideFacts> => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const said: string[] = [];
    let bundle: string | undefined;
    let heard = 0;
    const listen = (message: ConsoleMessage): void => {
      heard += 1;
      if (heard === maxMessages) page.off('console', listen);
      // An error of the cause brings its stack with it.
      const [line = ''] = cutText(message.text()).split('\n');
      if (/^\[permutive\] |^Permutive was not initialized\./.test(line)) said.push(line);
    };
    page.on('console', listen);
    page.on('response', (response) => {
      if (isBundle(response.url())) bundle = String(response.status());
    });
    page.on('requestfailed', (request) => {
      if (isBundle(request.url())) bundle = request.failure()?.errorText ?? 'failed';
    });
    await page.addInitScript(logging, sessionKeys.overrides);
    const pageFailure = await page.goto(address, { timeout: pagePatience }).then(
      () => undefined,
      (cause: unknown) => String(cause).split('\n')[0],
    );
    return {
      pageFailure,
      inside: pageFailure === undefined ? await askDoctor(page, global) : undefined,
      hasTag:
        pageFailure === undefined &&
        (await within(
          answerPatience,
          page.evaluate((name) => name in window, global),
        )) === true,
      bundle,
      said,
    };
  } finally {
    // A page that is busy is closed with the browser.
    await within(answerPatience, context.close());
  }
};

const isBundle = (url: string): boolean => /-web\.js$/.test(url.split(/[?#]/)[0] ?? '');

/** Lets the SDK log in this tab, by a setting that the tab keeps. Runs in the page. */
const logging = (key: string): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify({ loggingEnabled: true }));
  } catch {
    // Frames without storage, and pages that have none, log nothing.
  }
};

/** Asks once the methods are in place. A page that waits for consent has only the doctor. */
export const askDoctor = async (page: Page, global: string): Promise<readonly Finding[] | undefined> => {
  const appears = (member: string): Promise<boolean> =>
    page
      .waitForFunction(
        ([name, wanted]) => {
          const tag = (window as unknown as Record<string, object | undefined>)[name];
          return typeof tag === 'object' && wanted in tag;
        },
        [global, member] as const,
        { timeout: startPatience },
      )
      .then(
        () => true,
        () => false,
      );
  if (!(await appears('doctor'))) return undefined;
  const isWaiting = await within(answerPatience, page.evaluate(isWaitingForConsent, global));
  if (isWaiting !== true) await appears('context');
  const answer = await within(
    answerPatience,
    page.evaluate(doctorText, [global, maxAnswer] as const).catch(() => ''),
  );
  return answer === null ? undefined : findingsIn(answer);
};

/** A tag with what is asked of it. */
type Asked = Readonly<
  Record<
    string,
    { readonly config?: { readonly consentRequired?: unknown }; readonly doctor: () => Promise<unknown> } | undefined
  >
>;

/** Runs in the page. */
const isWaitingForConsent = (name: string): boolean =>
  (window as unknown as Asked)[name]?.config?.consentRequired === true;

/** What the doctor has found, as JSON; null where there is no doctor. Runs in the page. */
const doctorText = async ([name, most]: readonly [name: string, most: number]): Promise<string | null> => {
  const findings = await (window as unknown as Asked)[name]?.doctor();
  if (findings === undefined) return null;
  const text = JSON.stringify(findings);
  return typeof text === 'string' && text.length <= most ? text : '';
};
