import { browserName } from './support/browserName';
import { expectRefusalIsLast } from './support/revoking';
import { stageForTests } from './support/stage';

// A visitor takes other browsers longer, so they try fewer moments, and fewer at a time.
const [count, abreast] = browserName === 'chromium' ? [60, 15] : [20, 4];
const moments = Array.from({ length: count }, (_, i) => (i * 3000) / count);

describe('Consent that is revoked', () => {
  const stage = stageForTests();

  test(`at any of ${count} moments of the first 3 s, with requests under way, is the last thing that happens`, async () => {
    for (let i = 0; i < count; i += abreast) await expectRefusalIsLast(stage, moments.slice(i, i + abreast));
  }, 240_000);
});
