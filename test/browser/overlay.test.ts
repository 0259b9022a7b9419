import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

import { builtFile } from './support/bundleFile';
import { changeBundle } from './support/changedBundle';
import { hostileHtml } from './support/hostileHtml';
import { needs } from './support/needs';
import { renderers, servedFrom } from './support/renderers';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const htmlOverlay = '7d3f0c52-4b1e-4a86-9e2d-00000000e1a1';

describe.each(renderers)('The overlay on %s', (_, folder) => {
  const stage = stageForTests();
  const modal = (page: Page): Locator => page.getByRole('dialog');

  /** A reader of personal finance: a second view makes them one. */
  const reader = async (query = '', prepare?: (visitor: Visitor) => Promise<unknown>): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await servedFrom(visitor, folder);
    await prepare?.(visitor);
    await visitor.open(savings + query);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('web', { page: { article: { section: 'personal finance' } } }));
    await modal(visitor.page).waitFor();
    return visitor;
  };
  const reactions = async (type: string, count: number) => {
    const events = await until(async () => {
      const found = (await stage.arrived('Reaction')).filter(
        ({ properties }) => properties['type'] === type && properties['reaction_id'] === htmlOverlay,
      );
      return found.length >= count ? found : undefined;
    }, `${count} ${type}`);
    return events.map(({ properties }) => properties);
  };

  test('shows html on entering a cohort, dims the page, has the spacing of text that a person sets, and goes with its link', async () => {
    const visitor = await reader();
    const { page } = visitor;
    expect(await modal(page).getByRole('heading').textContent()).toBe('Your savings, once a week');
    expect(await reactions('impression', 1)).toMatchObject([{ reaction_id: htmlOverlay, type: 'impression' }]);
    const look = await modal(page).evaluate((element) => {
      const backdrop = element.parentElement!;
      const host = (element.getRootNode() as ShadowRoot).host;
      const { width, height } = backdrop.getBoundingClientRect();
      return {
        zIndex: getComputedStyle(host).zIndex,
        dim: getComputedStyle(backdrop).backgroundColor,
        fade: getComputedStyle(backdrop).transitionDuration.split(',')[0],
        // Without the scroll bars, which take room in some browsers.
        fills: width === document.documentElement.clientWidth && height === document.documentElement.clientHeight,
      };
    });
    expect(look).toEqual({ zIndex: '1000000', dim: 'rgba(0, 0, 0, 0.6)', fade: '0.3s', fills: true });
    const spacing = await modal(page).evaluate((element) => {
      const textContent = '* { letter-spacing: 5px !important; word-spacing: 6px !important }';
      document.head.append(Object.assign(document.createElement('style'), { textContent }));
      const { letterSpacing, wordSpacing } = getComputedStyle(element);
      return [letterSpacing, wordSpacing];
    });
    expect(spacing).toEqual(['5px', '6px']);
    await modal(page).getByRole('button', { name: 'Close' }).click();
    await modal(page).waitFor({ state: 'detached' });
    // Nothing of it is left on the page.
    expect(
      await page.evaluate(() => [...document.documentElement.children].filter(({ shadowRoot }) => shadowRoot).length),
    ).toBe(0);
  });

  test('goes with a click beside it and with Escape, not with one inside it', async () => {
    const { page } = await reader();
    await modal(page).getByRole('heading').click();
    expect(await modal(page).isVisible()).toBe(true);
    await page.mouse.click(8, 8);
    await modal(page).waitFor({ state: 'detached' });
  });

  test('takes the keyboard, keeps it, and gives it back, under a strict policy with trusted types', async () => {
    const { page } = await reader('?csp=strict', ({ page }) =>
      page.addInitScript(() => {
        const violations: string[] = [];
        Object.assign(window, { violations });
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          violations.push(`${violatedDirective} ${blockedURI}`),
        );
        // Not in the frames of advertisements.
        if (self === top)
          addEventListener('DOMContentLoaded', () => document.querySelector<HTMLElement>('a[href]')?.focus());
      }),
    );
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const host = document.activeElement;
        const inside = host?.shadowRoot?.activeElement;
        return inside ? `inside ${inside.tagName} ${inside.textContent.trim().slice(0, 5)}` : (host?.tagName ?? '');
      });
    await until(async () => ((await focused()).startsWith('inside DIV') ? true : undefined), 'focus on the modal');
    const stops = new Set<string>();
    for (let i = 0; i < 7; i += 1) {
      await page.keyboard.press('Tab');
      stops.add(await focused());
    }
    for (let i = 0; i < 7; i += 1) {
      await page.keyboard.press('Shift+Tab');
      stops.add(await focused());
    }
    expect([...stops].sort()).toEqual(['inside A Read ', 'inside BUTTON Close', 'inside BUTTON Send ']);
    await page.keyboard.press('Escape');
    await modal(page).waitFor({ state: 'detached' });
    expect(await focused()).toBe('A');
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  test('records a conversion when one of its links is followed', async () => {
    const { page } = await reader();
    await modal(page).getByRole('link').click();
    await page.waitForURL(/emergency-funds/);
    expect(await reactions('conversion', 1)).toMatchObject([{ reaction_id: htmlOverlay, type: 'conversion' }]);
  });

  test('records a conversion before its form is sent', async () => {
    const { page } = await reader();
    await modal(page)
      .getByRole('button', { name: /Send me/ })
      .click();
    await page.waitForURL(/newsletters\?letter=finance/);
    expect(await reactions('conversion', 1)).toMatchObject([{ reaction_id: htmlOverlay }]);
  });

  test('goes at once when consent is withdrawn', async () => {
    const visitor = await reader();
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await modal(visitor.page).waitFor({ state: 'detached' });
  });

  needs('mediaFeatures')('fits a phone, and asks for no motion where none is wanted', async () => {
    const visitor = await reader('', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 480 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
    });
    const box = (await modal(visitor.page).boundingBox())!;
    expect([box.x >= 0, box.y >= 0, box.x + box.width <= 320, box.y + box.height <= 480]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(
      await modal(visitor.page).evaluate((element) => getComputedStyle(element.parentElement!).transitionDuration),
    ).toBe('0s');
  });
});

describe('Html of an overlay', () => {
  const stage = stageForTests();

  test('acts in none of more than 500 hostile ways', async () => {
    expect(hostileHtml.length).toBeGreaterThan(500);
    const htmlChunk = readFileSync(builtFile('html'), 'utf8');
    const visitor = await stage.visitor({ expected: /./ });
    await visitor.open('/');
    await visitor.ready();
    const left = await visitor.page.evaluate(
      async ([vectors, chunk]) => {
        // The built chunk itself, which brings one module, and imports `ownGlobal` under a name that the build makes.
        type Sanitize = (html: string) => { readonly fragment: DocumentFragment };
        type Factory = (module: object, exports: object, bundler: object) => void;
        const loaded: { sanitizedHtml?: () => Sanitize } = {};
        const ownGlobal = (_: object, name: string): unknown => Reflect.get(globalThis, name);
        const pageScript = new Proxy({}, { get: () => ownGlobal });
        const bundler = Object.assign(() => pageScript, {
          r: () => undefined,
          d: (_: object, exports: object) => Object.assign(loaded, exports),
        });
        const push = ([, modules]: readonly [unknown, Record<string, Factory>]): void =>
          Object.values(modules)[0]?.({}, {}, bundler);
        // oxlint-disable-next-line typescript/no-implied-eval -- with a list of chunks of the test's own
        const run = new Function('globalThis', chunk) as (global: object) => void;
        run(
          new Proxy(
            {},
            {
              get: (_, key) =>
                String(key).startsWith('webpackChunk') ? { push } : (Reflect.get(globalThis, key) as unknown),
            },
          ),
        );
        const sanitize = loaded.sanitizedHtml!();
        const tag = (window as unknown as Record<string, unknown>)['permutive'];
        const found: string[] = [];
        const drawn = (): Promise<unknown> => new Promise((next) => requestAnimationFrame(next));
        const hosts: HTMLElement[] = [];
        for (const [i, vector] of vectors.entries()) {
          const host = document.createElement('div');
          host.attachShadow({ mode: 'open' }).append(sanitize(vector).fragment);
          document.body.append(host);
          host.shadowRoot!.querySelectorAll<HTMLElement>('*').forEach((element) => {
            for (const { name, value } of element.attributes)
              if (name.startsWith('on') || (name !== 'style' && /script:/i.test(value)))
                found.push(`${vector}: ${name}`);
            if (/^(script|iframe|object|embed|base|meta|link)$/i.test(element.tagName))
              found.push(`${vector}: ${element.tagName}`);
            element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
          });
          hosts.push(host);
          // The browser gets time to act on thirty at once.
          if (hosts.length < 30 && i < vectors.length - 1) continue;
          for (let frame = 0; frame < 3; frame += 1) await drawn();
          if ('__xss' in window || (window as unknown as Record<string, unknown>)['permutive'] !== tag)
            found.push(`one of the thirty up to ${vector}`);
          for (const shown of hosts.splice(0)) shown.remove();
        }
        return found;
      },
      [hostileHtml, htmlChunk] as const,
    );
    expect(left).toEqual([]);
  });

  test('is not loaded where none is to show', async () => {
    const visitor = await stage.visitor();
    const files: string[] = [];
    visitor.context.on('request', (request) => files.push(request.url()));
    await visitor.open('/');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect(files.filter((file) => /\.(overlay|html)\..*js/.test(file))).toEqual([]);
  });

  test('has no stand-in whose link is no web address: nothing shows, and that is reported', async () => {
    const visitor = await stage.visitor();
    // The image's link becomes code.
    await changeBundle(visitor.page, {
      deferred: (text) => {
        const changed = text.replace(
          /html:(?=['"`]<h2>Your savings)/,
          'image_url:"data:image/gif,x",image_link:"javascript:window.__xss=1",dropped:',
        );
        expect(changed).not.toBe(text);
        return changed;
      },
    });
    await visitor.open(`${savings}?permutive_debug=true`);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('web', { page: { article: { section: 'personal finance' } } }));
    await visitor.untilWarned('Failed to show overlay');
    expect(await visitor.page.getByRole('dialog').count()).toBe(0);
  });
});
