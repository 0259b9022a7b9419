import { of } from 'rxjs';

import { checkAddon } from '../../../src/addonKit/checkAddon';
import { ctvWith } from '../../../src/addons/ctv/ctv';
import { trackVideos } from '../../../src/addons/ctv/trackVideos';
import { checks } from './checks';

it('is fit for strangers’ phones once its chunk has loaded', () => {
  expect(
    checkAddon(
      ctvWith(() => of({ trackVideos })),
      checks['ctv'],
    ),
  ).toEqual([]);
});
