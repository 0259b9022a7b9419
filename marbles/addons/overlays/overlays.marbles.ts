import { of } from 'rxjs';

import { overlaysWith } from '../../../src/addons/overlays/overlays';
import type { Activation } from '../../../src/model/activation';
import type { Layer, OverlayAct, OverlayView } from '../../../src/model/overlay';
import type { Tcf } from '../../../src/model/tcf';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { tcfAnswer } from '../../support/tcfAnswer';

const html: Activation = {
  id: 'first',
  short_id: '1',
  sc: 101,
  tt: 'OnEntry',
  c: { html: '<p>Hello</p>', opacity_percentage: '60', opacity_transition_ms: 300 },
};
const image: Activation = {
  id: 'second',
  short_id: '2',
  sc: 102,
  tt: 'OnEntry',
  c: { image_url: '/a.png', image_link: '/letters' },
};

const reactions = Object.fromEntries(
  (['first', 'second'] as const).flatMap((id) =>
    (['impression', 'conversion'] as const).map((type) => [
      `${id[0] ?? ''}${type[0] ?? ''}`,
      { name: 'Reaction', properties: { reaction_id: id, type }, ...(type === 'conversion' && { beacon: true }) },
    ]),
  ),
);
const { fi, fc, si } = reactions;
const acts = { i: 'impression', c: 'conversion' } as const satisfies Record<string, OverlayAct>;
const transitions = {
  e: { id: '101', entry: true, time: 0 },
  f: { id: '102', entry: true, time: 0 },
  x: { id: '101', entry: false, time: 0 },
};
/** A consent platform that gives consent for these vendors, and for all purposes. */
const tcfOf = (...vendors: readonly number[]): Tcf => tcfAnswer({ vendorConsent: (id) => vendors.includes(id) });
const context = () => ({ url: 'https://site.example/news/today' });

/** The addon starts without options. */
const started = { o: { tcf_purposes: undefined } };

describe('overlays', () => {
  marble('show on entry, and track what the visitor does with them', ({ cold, hot, expectObservable }) => {
    const transition$ = hot('--e-x----', transitions);
    const overlay$ = cold('    i---c|   ', acts);
    const expected = '       --a---b---';
    const streams = addonStreams({ transition$ });
    const addon = overlaysWith(() => of(() => overlay$));
    expectObservable(addon.run(streams, hot('o--------', started), addonDeps({ activations: [html], context }))).toBe(
      expected,
      {
        a: fi,
        b: fc,
      },
    );
  });

  marble('open one above the other, from 1000000, each as its activation says', ({ hot, flush }) => {
    const shown: (OverlayView & { zIndex: number })[] = [];
    const transition$ = hot('--e-f', transitions);
    const openLayer = (zIndex: number) => zIndex as unknown as Layer;
    const addon = overlaysWith(() =>
      of((view: OverlayView, { openLayer: open }: { readonly openLayer: () => Layer }) =>
        of<OverlayAct>('impression').pipe(
          (act$) => (shown.push({ ...view, zIndex: open() as unknown as number }), act$),
        ),
      ),
    );
    addon
      .run(
        addonStreams({ transition$ }),
        hot('o----', started),
        addonDeps({ activations: [html, image], context, openLayer }),
      )
      .subscribe();
    flush();
    expect(shown).toEqual([
      { content: { html: '<p>Hello</p>' }, opacityPercentage: 60, opacityTransitionMs: 300, zIndex: 1_000_000 },
      {
        content: { imageUrl: 'https://site.example/a.png', imageLink: 'https://site.example/letters' },
        opacityPercentage: 50,
        opacityTransitionMs: 0,
        zIndex: 1_000_001,
      },
    ]);
  });

  marble('are not doubled by a second start', ({ cold, hot, expectObservable }) => {
    const transition$ = hot('----e----', transitions);
    const expected = '       ----a----';
    const addon = overlaysWith(() => of(() => cold('i', acts)));
    expectObservable(
      addon.run(addonStreams({ transition$ }), hot('o-o------', started), addonDeps({ activations: [html], context })),
    ).toBe(expected, { a: fi });
  });

  marble('cost nobody else anything when one cannot be shown', ({ cold, hot, expectObservable, flush }) => {
    const transition$ = hot('--e-f----', transitions);
    const expected = '       ----a----';
    const deps = addonDeps({ activations: [html, image], context });
    const addon = overlaysWith(() =>
      of(({ content }: OverlayView) => ('html' in content ? cold<OverlayAct>('#') : cold('i', acts))),
    );
    expectObservable(addon.run(addonStreams({ transition$ }), hot('o--------', started), deps)).toBe(expected, {
      a: si,
    });
    flush();
    expect(deps.report).toHaveBeenCalledWith('Failed to show overlay', 'error');
  });

  marble('wait for the consent for the vendor that they name', ({ hot, expectObservable }) => {
    const ofVendor = { ...html, c: { ...html.c, tcf_vendor_id: '76' } };
    const addon = overlaysWith(() => of(() => of<OverlayAct>('impression')));
    const streams = addonStreams({
      transition$: hot('--e-----', transitions),
      tcf$: hot('       ----n-y-', { n: tcfOf(), y: tcfOf(76) }),
    });
    expectObservable(addon.run(streams, hot('o', started), addonDeps({ activations: [ofVendor], context }))).toBe(
      '------a',
      { a: fi },
    );
  });

  marble('report once for each what was removed from its html', ({ hot, flush }) => {
    const deps = addonDeps({ activations: [html, { ...html, id: 'other', short_id: '3' }], context });
    const addon = overlaysWith(() =>
      of((_: OverlayView, { onRemoved }) => {
        onRemoved(['script', 'p[onclick]']);
        return of<OverlayAct>('impression');
      }),
    );
    addon.run(addonStreams({ transition$: hot('--e-x-e', transitions) }), hot('o', started), deps).subscribe();
    flush();
    expect(deps.report.mock.calls).toEqual([
      ['Parts of an overlay were removed', new Error('overlays/1: script, p[onclick]')],
      ['Parts of an overlay were removed', new Error('overlays/3: script, p[onclick]')],
    ]);
  });

  it.each([
    ['nothing', {}],
    ['an image without a link', { image_url: 'https://a.example/b.png' }],
    ['a link that is code', { image_url: 'https://a.example/b.png', image_link: 'javascript:alert(1)' }],
    ['an image that is a page', { image_url: 'data:text/html,x', image_link: 'https://a.example/' }],
    ['html of no text', { html: 12 }],
  ])('are not shown for %s', (_, c) =>
    marbles(({ hot, expectObservable, flush }) => {
      const deps = addonDeps({ activations: [{ ...html, c }], context });
      const load = jest.fn();
      expectObservable(
        overlaysWith(load).run(addonStreams({ transition$: hot('--e', transitions) }), hot('o--', started), deps),
      ).toBe('---');
      flush();
      expect(load).not.toHaveBeenCalled();
      expect(deps.report).toHaveBeenCalledWith(
        'Failed to show overlay',
        new Error('overlays/1: expected html, or image_url and image_link'),
      );
    })(),
  );

  it.each([
    [{ opacity_percentage: 250, opacity_transition_ms: -1 }, 100, 0],
    [{ opacity_percentage: -3, opacity_transition_ms: 1e9 }, 0, 10_000],
    [{ opacity_percentage: 'dark', opacity_transition_ms: NaN }, 50, 0],
    [{ opacity_percentage: '', opacity_transition_ms: ' 20 ' }, 50, 20],
  ])('take numbers for opacity and fade: %j', (given, opacityPercentage, opacityTransitionMs) =>
    marbles(({ hot, flush }) => {
      const shown: OverlayView[] = [];
      const addon = overlaysWith(() => of((view: OverlayView) => (shown.push(view), of<OverlayAct>('impression'))));
      addon
        .run(
          addonStreams({ transition$: hot('--e', transitions) }),
          hot('o--', started),
          addonDeps({ activations: [{ ...html, c: { ...html.c, ...given } }], context }),
        )
        .subscribe();
      flush();
      expect(shown).toMatchObject([{ opacityPercentage, opacityTransitionMs }]);
    })(),
  );
});
