/** The element of the file that checks the natives of a page. Who asks for the check hands its own element over. */
export interface CheckElement extends HTMLScriptElement {
  /** The element whose script has stopped and waits for the answer. */
  waiting: WaitingElement;
}

/** An element of the gate or of the main part. */
export interface WaitingElement extends HTMLScriptElement {
  /** Whether the natives that the SDK needs have been found to work. */
  areNativesChecked?: boolean;
  /** What the gate hands to the main part. */
  handOver?: unknown;
}
