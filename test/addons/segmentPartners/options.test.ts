import type { AnyAddon } from '../../../src/addons/addon';
import { dataLayer } from '../../../src/addons/segmentPartners/dataLayer';
import { ddp } from '../../../src/addons/segmentPartners/ddp';
import { eyeota } from '../../../src/addons/segmentPartners/eyeota';
import { facebookV2 } from '../../../src/addons/segmentPartners/facebook';
import { gigya } from '../../../src/addons/segmentPartners/gigya';
import { lotame } from '../../../src/addons/segmentPartners/lotame';
import { neustarFabrick } from '../../../src/addons/segmentPartners/neustarFabrick';
import { pinterest } from '../../../src/addons/segmentPartners/pinterest';
import { settingOf } from '../../../src/addons/segmentPartners/segmentPartner';
import { tiktok } from '../../../src/addons/segmentPartners/tiktok';
import { twitterPixel } from '../../../src/addons/segmentPartners/twitterPixel';
import { polluted } from '../../support/pollution';

const eventDefaults = { tcf_vendor_id: undefined, core_setup: false, pixel_id: '' };
const pixelDefaults = { tcf_vendor_id: undefined, pid: '', client_id: '' };
const read = (addon: AnyAddon, input: unknown) => {
  const faults: string[] = [];
  return {
    options: addon.options(input, (cause) => faults.push((cause as Error).message)) as unknown,
    faults,
  };
};

describe.each<readonly [addon: AnyAddon, defaults: object, valid: object, invalid: object]>([
  ...[facebookV2, tiktok, pinterest, twitterPixel].map(
    (addon) =>
      [
        addon,
        eventDefaults,
        { tcf_vendor_id: 12, core_setup: true, pixel_id: '100' },
        { tcf_vendor_id: 1.5, core_setup: 'true', pixel_id: 100 },
      ] as const,
  ),
  [
    gigya,
    { tcf_vendor_id: undefined, data_field: 'permutive_segments' },
    { tcf_vendor_id: 12, data_field: 'audience' },
    { tcf_vendor_id: '12', data_field: null },
  ],
  [
    dataLayer,
    { tcf_vendor_id: undefined, data_layer_name: 'dataLayer' },
    { tcf_vendor_id: 12, data_layer_name: 'adobeDataLayer' },
    { tcf_vendor_id: '12', data_layer_name: 7 },
  ],
  ...(
    [
      [eyeota, 'https://ps.eyeota.net/pixel?pid={{pid}}&t=gif&cat={{segment}}'],
      [lotame, 'https://bcp.crwdcntrl.net/5/c={{client_id}}/seg={{segment}}'],
      [ddp, ''],
      [neustarFabrick, ''],
    ] as const
  ).map(
    ([addon, pixel_url]) =>
      [
        addon,
        { ...pixelDefaults, pixel_url },
        { tcf_vendor_id: 12, pid: 'ledger', client_id: 17310, pixel_url: 'https://a.example/' },
        { tcf_vendor_id: NaN, pid: ['x'], client_id: true, pixel_url: 7 },
      ] as const,
  ),
])('the options of $name', (addon, defaults, valid, invalid) => {
  it.each([undefined, null, {}])('are the defaults for %p', (input) => {
    expect(read(addon, input)).toEqual({ options: defaults, faults: [] });
  });

  it('are what is given', () => {
    expect(read(addon, { ...valid, auto_init: true })).toEqual({ options: valid, faults: [] });
  });

  it.each(Object.entries<unknown>({ ...invalid }))('are reported and replaced one by one: %s', (field, value) => {
    const { options, faults } = read(addon, { ...valid, [field]: value });
    expect(options).toEqual({ ...valid, [field]: (defaults as Record<string, unknown>)[field] });
    expect(faults).toEqual([expect.stringContaining(field)]);
  });
});

describe('what an activation gives for its partner', () => {
  const activation = { id: 'A', short_id: 'A', sc: 7, tt: 'EveryTime' } as const;

  it.each([
    ['its own config first', { c: { segment: 'a' }, wc: { segment: 'b' } }, 'a'],
    ['that of the workspace', { c: { segment: '' }, wc: { segment: 'b' } }, 'b'],
    ['a number as text', { c: { segment: 7 } }, '7'],
    ['nothing of another type', { c: { segment: ['a'] }, wc: { segment: null } }, undefined],
    ['nothing that it has not', {}, undefined],
  ])('is %s', (_, given, expected) => {
    expect(settingOf({ ...activation, ...given }, 'segment')).toBe(expected);
  });

  it('is nothing that a page has added to all objects', () => {
    const fields = { segment: 'theirs', c: { segment: 'theirs' }, wc: { segment: 'theirs' } };
    expect(polluted(fields, () => settingOf(activation, 'segment'))).toBeUndefined();
  });
});
