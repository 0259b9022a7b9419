import type { Unclobbered } from '../../src/hardening/unclobbered';
import { whenShown } from '../../src/platform/whenShown';

/** A document whose listeners are counted. */
class CountedDocument extends EventTarget {
  listeners = 0;

  constructor(readonly prerendering: unknown) {
    super();
  }

  override addEventListener(...given: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...given);
  }

  override removeEventListener(...given: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...given);
  }
}

const watch = (prerendering: unknown) => {
  const [document, shown] = [new CountedDocument(prerendering), jest.fn()];
  whenShown(document as unknown as Unclobbered<Document>).subscribe(shown);
  return { document, seen: () => [shown.mock.calls.length, document.listeners] };
};

describe('whenShown', () => {
  it.each([[false], [undefined], [{}]])('emits at once where the page is not prerendered: %p', (prerendering) => {
    expect(watch(prerendering).seen()).toEqual([1, 0]);
  });

  it('takes a field of all objects for no prerendering, in browsers that know none', () => {
    const all = Object.prototype as { prerendering?: unknown };
    all.prerendering = true;
    try {
      const [document, shown] = [new EventTarget(), jest.fn()];
      whenShown(document as unknown as Unclobbered<Document>).subscribe(shown);
      expect(shown).toHaveBeenCalledTimes(1);
    } finally {
      delete all.prerendering;
    }
  });

  it('waits until a prerendered page is opened, and leaves no listener', () => {
    const { document, seen } = watch(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(seen()).toEqual([0, 1]);
    document.dispatchEvent(new Event('prerenderingchange'));
    document.dispatchEvent(new Event('prerenderingchange'));
    expect(seen()).toEqual([1, 0]);
  });
});
