/** What an overlay shows: the publisher's html, or an image that is a link. */
export type OverlayContent = { readonly html: string } | { readonly imageUrl: string; readonly imageLink: string };

export interface OverlayView {
  readonly content: OverlayContent;
  /** How dark the backdrop is: 0 to 100. */
  readonly opacityPercentage: number;
  /** How long it takes to come and to go. */
  readonly opacityTransitionMs: number;
}

/** What the visitor did: `impression`, saw the overlay; `conversion`, followed a link or submitted a form in it. */
export type OverlayAct = 'impression' | 'conversion';

/**
 * An element above everything else on the page. In its shadow root, styles of the page and of the overlay do not mix.
 */
export interface Layer {
  readonly root: ShadowRoot;
  readonly remove: () => void;
}
