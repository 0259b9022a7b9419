import { ddp } from '../../../src/addons/segmentPartners/ddp';
import { eyeota } from '../../../src/addons/segmentPartners/eyeota';
import { lotame } from '../../../src/addons/segmentPartners/lotame';
import { neustarFabrick } from '../../../src/addons/segmentPartners/neustarFabrick';
import type { Activation } from '../../../src/model/activation';
import { addonStreams } from '../../support/addonWorld';
import { marbles } from '../../support/marbles';
import { activationOf, browserWith, cohorts, tcfs } from '../../support/partnerWorld';

const E = activationOf('E', 'EveryTime', { segment: 'savers & co' });

/** What a partner's images ask for when the visitor enters the cohort 7 and leaves it. */
const visit = (addon: typeof eyeota, activations: readonly Activation[], given: object, platform: 'y' | 'o' = 'o') => {
  const browser = browserWith({ activations });
  marbles(({ hot, cold, state, flush }) => {
    const options$ = hot('o', { o: addon.options(given, (cause) => browser.deps.report('options', cause)) });
    const streams = addonStreams({ cohorts$: state('m-n', cohorts), tcf$: cold(platform, tcfs) });
    addon.run(streams, options$, browser.deps).subscribe();
    flush();
  })();
  return { asked: browser.asked(), notes: Object.fromEntries(browser.notes), reports: browser.deps.report.mock.calls };
};

describe('partners that are told by images', () => {
  it.each([
    [
      'eyeota',
      eyeota,
      { pid: 'ledger' },
      'addon:eyeota',
      'https://ps.eyeota.net/pixel?pid=ledger&t=gif&cat=savers+%26+co',
    ],
    ['lotame', lotame, { client_id: 17310 }, 'lotame', 'https://bcp.crwdcntrl.net/5/c=17310/seg=savers%20%26%20co'],
    [
      'ddp',
      ddp,
      { pixel_url: 'https://ddp.example/?s={{segment}}' },
      'addon:ddp',
      'https://ddp.example/?s=savers+%26+co',
    ],
    [
      'neustar_fabrick',
      neustarFabrick,
      { pixel_url: 'https://fabrick.example/?s={{segment}}' },
      'addon:neustar_fabrick',
      'https://fabrick.example/?s=savers+%26+co',
    ],
  ])('%s is told of an entry and an exit, with the visitor’s consent', (_, addon, given, note, entry) => {
    const { asked, notes } = visit(addon, [E], given, 'y');
    const consent = `${entry.includes('?') ? '&' : '?'}gdpr=1&gdpr_consent=C%26S`;
    expect(asked).toEqual([entry + consent, `${entry}_exit${consent}`]);
    expect(notes).toEqual({ [note]: {} });
    expect(visit(addon, [E], given, 'o').asked[0]).toContain('gdpr=0&gdpr_consent=');
  });

  it.each([
    [eyeota, 120],
    [lotame, 95],
    [ddp, 755],
    [neustarFabrick, 468],
  ])('$name needs the consent of vendor %p', (addon, vendor) => {
    const allowed = (id: number): unknown[] => {
      const { deps, asked } = browserWith({ activations: [E] });
      marbles(({ hot, cold, state, flush }) => {
        const tcf$ = cold('y', { y: { ...tcfs['y']!, vendorConsent: (asking: number) => asking === id } });
        const given = { pixel_url: 'https://partner.example/' };
        const options$ = hot('o', { o: addon.options(given, () => undefined) });
        addon.run(addonStreams({ cohorts$: state('m', cohorts), tcf$ }), options$, deps).subscribe();
        flush();
      })();
      return asked();
    };
    expect([allowed(vendor).length, allowed(vendor + 1).length]).toEqual([1, 0]);
  });

  it('fills placeholders from the visitor, the activation, its workspace and the options, in this order', () => {
    const pixel_url = 'https://a.example/{{user_id}}/{{segments}}/{{pid}}/{{client_id}}/{{list}}';
    const activation = activationOf('E', 'OnEntry', { pid: 'own', user_id: 'x' }, { wc: { pid: 'theirs', list: 5 } });
    const other = activationOf('O', 'OnExit', { segment: 'a,b' });
    expect(visit(eyeota, [activation, other], { pixel_url, pid: 1, client_id: 2 }).asked[0]).toBe(
      'https://a.example/visitor/7%2Ca%2Cb/own/2/5?gdpr=0&gdpr_consent=',
    );
  });

  it.each([
    'http://a.example/',
    'https://localhost/{{segment}}',
    'https://u:p@a.example/',
    'javascript:alert({{segment}})',
    '',
  ])('are told nothing at the address %p, and nothing counts as told', (pixel_url) => {
    const { asked, notes, reports } = visit(ddp, [{ ...E, tt: 'OnEntry' }], { pixel_url });
    // What is kept is that of the exit, which this activation does not tell.
    expect([asked, notes]).toEqual([[], { 'addon:ddp': {} }]);
    expect(reports[0]).toEqual([
      'Failed to reach ddp',
      new Error('pixel_url: expected an https address of a public host'),
    ]);
  });

  it('report a placeholder that nobody fills', () => {
    const { asked, reports } = visit(eyeota, [E], {});
    expect(asked).toEqual([]);
    expect(reports[0]).toEqual([
      'Failed to tell eyeota of a segment',
      new Error('pixel_url: expected a value for {{pid}}'),
    ]);
  });
});
