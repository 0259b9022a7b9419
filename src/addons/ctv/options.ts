import { AnyRecord, value } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import type { MediaElement } from './mediaElement';

/** A length of time or a place in a video, in ms. */
const isMs = (input: unknown): input is number => typeof input === 'number' && input >= 0 && input < Infinity;
export const MediaPosition = value<number>('ms, 0 or more', isMs);
export const MediaDuration = value<number>('ms, more than 0', (input) => isMs(input) && input > 0);

/** An element of the page, or an object of a player that behaves like one. */
const Element = value<MediaElement>(
  'a video or audio element',
  (input) =>
    typeof input === 'object' &&
    input !== null &&
    typeof (input as Partial<MediaElement>).addEventListener === 'function' &&
    typeof (input as Partial<MediaElement>).currentTime === 'number',
);

/** What a page may give `permutive.addon('ctv', …)`. */
export const videoOptions = optionsOf({
  /** How long the video is, in ms. Without it, and without an element that knows it, no completion is told. */
  duration: [MediaDuration, undefined],
  /** What the video is, such as its title. The value is the property `video` of each of its events. */
  videoProperties: [AnyRecord, {}],
  /** The element that plays the video. The page then need not call any method. */
  element: [Element, undefined],
});
export type VideoOptions = ReturnType<typeof videoOptions>;
