/** The element of the file that checks the natives of a page: the page script hands its own element over. */
export interface CheckElement extends HTMLScriptElement {
  /** The element of the page script, which has stopped and waits for the answer. */
  pageScript: HTMLScriptElement;
}

/** An element of the page script. */
export interface PageElement extends HTMLScriptElement {
  /** Whether the natives that the SDK needs have been found to work. */
  areNativesChecked?: boolean;
}
