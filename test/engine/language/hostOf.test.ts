import { hostOf } from '../../../src/engine/language/extraction';
import { cpuMs } from '../../support/cpuTime';

describe('hostOf', () => {
  it.each([
    ['https://..site.example..:80/a', 'site.example'],
    ['....', ''],
    ['a..b', 'a..b'],
    ['[::1].', '[::1]'],
  ])('has no dots around it: %s', (url, host) => {
    expect(hostOf(url)).toBe(host);
  });

  it('takes a moment for a host of dots', () => {
    const host = (): void => expect(hostOf(`https://a${'.'.repeat(200_000)}b/`)).toHaveLength(200_002);
    expect(cpuMs(host)).toBeLessThan(200);
  });
});
