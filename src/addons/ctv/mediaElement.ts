/** What the SDK reads of a video or audio element. Times are in seconds. */
export interface MediaElement extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly currentTime: number;
  /** NaN while it is unknown, Infinity for a live stream. */
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly seeking: boolean;
  /** Above 2, there is enough data to go on playing. */
  readonly readyState: number;
  /** Whether it is in a document. */
  readonly isConnected: boolean;
}
