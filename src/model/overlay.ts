/** What an overlay shows: the publisher's html, or an image that is a link. */
export type OverlayContent = { readonly html: string } | { readonly imageUrl: string; readonly imageLink: string };

export interface OverlayView {
  readonly content: OverlayContent;
  /** How dark the backdrop is: 0 to 100. */
  readonly opacityPercentage: number;
  /** How long it takes to come and to go. */
  readonly opacityTransitionMs: number;
}

/** What the visitor did with it: saw it, or followed a link or sent a form of it. */
export type OverlayAct = 'impression' | 'conversion';

/** A place of our own above everything else on the page, where neither side's styles reach the other. */
export interface Layer {
  readonly root: ShadowRoot;
  readonly remove: () => void;
}
