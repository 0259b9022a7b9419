/** What an overlay shows: the publisher's html, or an image that is a link. */
export type OverlayContent = { readonly html: string } | { readonly imageUrl: string; readonly imageLink: string };

/** One overlay: what it shows and how it fades. */
export interface OverlayView {
  /** Html is not sanitised yet; addresses are checked. */
  readonly content: OverlayContent;
  /** How dark the backdrop is, from 0 to 100. */
  readonly opacityPercentage: number;
  /** How long the overlay takes to come and to go, in ms. */
  readonly opacityTransitionMs: number;
}

/** What the visitor did: `impression`, saw the overlay; `conversion`, followed a link or submitted a form in it. */
export type OverlayAct = 'impression' | 'conversion';

/** An element above everything else on the page, with a shadow root of its own. */
export interface Layer {
  /** Holds what the layer shows. Styles do not cross its border. */
  readonly root: ShadowRoot;
  readonly remove: () => void;
}
