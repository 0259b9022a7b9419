import { concat, defer, EMPTY, fromEventPattern, merge, mergeMap, type Observable, of } from 'rxjs';

import type { MediaElement } from './mediaElement';
import type { VideoInput } from './viewing';

/**
 * Where the element is in its video, in ms. Undefined while it seeks: it then tells the place it will go on from, to
 * which it was not watched.
 */
export const positionOf = ({ currentTime, seeking }: MediaElement): number | undefined =>
  seeking ? undefined : currentTime * 1000;

/**
 * What happens to a video, as its element tells. The video is watched while it advances: not while it waits for data or
 * seeks. The video is stopped when it has ended, when the element gets another video, and when the page has removed it.
 * Cold; each subscription has its own listeners.
 */
export const fromElement = (element: MediaElement): Observable<VideoInput> => {
  const heard = (types: readonly string[], input: () => readonly VideoInput[]): Observable<VideoInput> =>
    merge(
      ...types.map((type) =>
        fromEventPattern(
          (listener) => element.addEventListener(type, listener),
          (listener) => element.removeEventListener(type, listener),
        ),
      ),
    ).pipe(mergeMap(input));
  const play = (): readonly VideoInput[] => (element.paused ? [] : [{ type: 'play', position: positionOf(element) }]);
  const isAdvancing = (): boolean => !element.paused && !element.ended && element.readyState > 2;
  return merge(
    // The page may start the addon when the video plays already.
    defer(() => concat(of(durationInput(element)), isAdvancing() ? play() : EMPTY)),
    heard(['durationchange'], () => [durationInput(element)]),
    heard(['playing', 'seeked'], play),
    heard(['waiting', 'seeking'], () => [{ type: 'pause' }]),
    // An element that is removed from the page pauses.
    heard(['pause'], () => [{ type: element.isConnected ? 'pause' : 'stop', position: positionOf(element) }]),
    heard(['ended'], () => [{ type: 'stop', position: element.duration * 1000 }]),
    heard(['emptied'], () => [{ type: 'stop' }]),
  );
};

const durationInput = ({ duration }: MediaElement): VideoInput => ({
  type: 'duration',
  duration: duration > 0 && duration < Infinity ? duration * 1000 : undefined,
});
