/** @jest-environment jsdom */
import { browserPlatform } from '../../src/platform/browser';

const refused = (): never => {
  throw new Error('none');
};
const { page } = browserPlatform(Object.assign(window, { fetch: () => Promise.reject(new Error('none')) }), {
  openWorker: refused,
  nonce: '',
  loadOnPage: () => Promise.reject(new Error('none')),
  report: () => undefined,
});

beforeEach(() => {
  document.body.innerHTML =
    '<button>Else</button><div id="slot"><div><iframe></iframe></div><p>Words</p></div><iframe id="other"></iframe>';
});
const [frame, other] = ['#slot iframe', '#other'].map(
  (selector) => () => document.querySelector<HTMLIFrameElement>(selector)!,
) as [() => HTMLIFrameElement, () => HTMLIFrameElement];

describe('adIn', () => {
  it('has the windows of the frames in the element, and no others', () => {
    expect(page.adIn('slot')?.windows).toEqual([frame().contentWindow]);
    expect(page.adIn('slot')?.windows).not.toContain(other().contentWindow);
  });

  it('knows whether one of them has the focus', () => {
    expect(page.adIn('slot')?.hasFocus).toBe(false);
    other().focus();
    expect(page.adIn('slot')?.hasFocus).toBe(false);
    frame().focus();
    expect(page.adIn('slot')?.hasFocus).toBe(true);
  });

  it('knows what happened on the element', () => {
    const ad = page.adIn('slot')!;
    expect(ad.holds({ target: document.querySelector('#slot p') })).toBe(true);
    expect(ad.holds({ target: document.querySelector('button') })).toBe(false);
    expect(ad.holds({ target: null })).toBe(false);
  });

  it('finds nothing where there is no such element', () => {
    expect(page.adIn('nowhere')).toBeUndefined();
  });
});
