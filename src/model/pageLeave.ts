/**
 * The page is hidden or goes away. Said in two steps, so that what one listener still has to say (`last words`) is heard
 * by those who write and send (`flush`), whoever subscribed first.
 */
export interface PageLeave {
  readonly step: 'last words' | 'flush';
  /** False when the page is only hidden: it may come back. */
  readonly gone: boolean;
}
