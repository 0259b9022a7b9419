import type { Observable } from 'rxjs';

import type { EventDraft } from '../../model/event';
import type { AddonDeps, AddonStreams } from '../addon';

/** The methods of `permutive.addons.ctv`. */
export const videoMethods = ['play', 'pause', 'stop', 'setDuration'] as const;

/**
 * What the page has asked for: a start with its options, or a call of a method with its argument. All arguments are
 * unchecked.
 */
export type VideoCall = readonly [name: 'start' | (typeof videoMethods)[number], argument: unknown];

/** Follows the videos of the calls, and emits what is to be tracked of them. */
export type TrackVideos = (
  call$: Observable<VideoCall>,
  streams: AddonStreams,
  deps: AddonDeps,
) => Observable<EventDraft>;
