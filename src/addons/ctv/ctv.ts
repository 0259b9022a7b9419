import { map, merge, mergeMap, Observable, type ObservableInput, take } from 'rxjs';

import { isolate } from '../../operators/isolate';
import { replayToLate } from '../../operators/replayToLate';
import type { Addon, AddonDeps } from '../addon';
import { type TrackVideos, type VideoCall, videoMethods } from './videoCall';

/**
 * Tracks videos (docs/decisions/088-video.md). This part is in the page script, so that no call is lost while the chunk
 * with `trackVideos` loads. A page without a video does not load it. `load` gets that code; tests pass their own.
 */
export const ctvWith = (load: () => ObservableInput<{ readonly trackVideos: TrackVideos }>): Addon<unknown> => ({
  name: 'ctv',
  autoInit: false,
  // The chunk reads them.
  options: (input) => input,
  run: (streams, options$, deps) =>
    merge(options$.pipe(map((options): VideoCall => ['start', options])), methodCalls(deps)).pipe(
      replayToLate((call$) =>
        call$.pipe(
          take(1),
          mergeMap(load),
          mergeMap(({ trackVideos }) => trackVideos(call$, streams, deps)),
          isolate('Failed to track videos', deps.report),
        ),
      ),
    ),
});

/** The addon `ctv` as projects use it. */
export const ctv = ctvWith(() => import(/* webpackChunkName: "ctv" */ './trackVideos'));

/** Calls of the methods of `permutive.addons.ctv`, from this subscription on. */
const methodCalls = ({ expose }: Pick<AddonDeps, 'expose'>): Observable<VideoCall> =>
  new Observable((subscriber) => {
    expose(
      Object.fromEntries(videoMethods.map((name) => [name, (argument: unknown) => subscriber.next([name, argument])])),
    );
  });
