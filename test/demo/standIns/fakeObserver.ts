/** What jsdom has no room for: a test says what is near the viewport, and how much of it is in view. */
export class FakeObserver {
  static all: FakeObserver[] = [];
  private element: Element | undefined;

  constructor(
    private readonly hear: (entries: readonly Partial<IntersectionObserverEntry>[]) => void,
    readonly options: IntersectionObserverInit,
  ) {
    FakeObserver.all.push(this);
  }

  observe(element: Element): void {
    this.element = element;
  }

  disconnect(): void {
    FakeObserver.all = FakeObserver.all.filter((each) => each !== this);
  }

  /** An element has come within the margins of those who wait for it. Answers with the margins. */
  static near(id: string): readonly (string | undefined)[] {
    const waiting = FakeObserver.all.filter(({ element, options }) => element?.id === id && options.rootMargin);
    for (const { hear } of waiting) hear([{ isIntersecting: true, intersectionRatio: 0 }]);
    return waiting.map(({ options }) => options.rootMargin);
  }

  /** This part of an element is in view. */
  static see(id: string, intersectionRatio: number): void {
    for (const { element, options, hear } of FakeObserver.all)
      if (element?.id === id && options.threshold) hear([{ isIntersecting: true, intersectionRatio }]);
  }
}
