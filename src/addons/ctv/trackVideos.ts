import {
  connect,
  distinctUntilChanged,
  EMPTY,
  filter,
  groupBy,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  scan,
  skipWhile,
  switchMap,
} from 'rxjs';

import { DecodeError, readAs } from '../../codecs/codecs';
import type { EventDraft } from '../../model/event';
import { isolate } from '../../operators/isolate';
import type { AddonDeps, AddonStreams } from '../addon';
import { fromElement, positionOf } from './fromElement';
import type { MediaElement } from './mediaElement';
import { MediaDuration, MediaPosition, videoOptions } from './options';
import type { TrackVideos, VideoCall } from './videoCall';
import { noVideo, type VideoInput, videoStep } from './viewing';

const invalidCall = 'Invalid call of permutive.addons.ctv';

/** How often a playing video is looked at. */
const secondMs = 1000;

/**
 * Follows each video of the page by itself: those with an element by their elements, and the one without by the methods
 * that the page calls. Another start replaces the video of the same element, or the one without. A video that fails is
 * reported, and the others go on.
 */
export const trackVideos: TrackVideos = (call$, streams, deps) =>
  call$.pipe(
    mergeMap((call) => videoInput(call, deps)),
    groupBy((input) => (input.type === 'open' ? input.options.element : undefined)),
    mergeMap((input$) =>
      oneVideo(input$, input$.key, streams, deps).pipe(isolate('Failed to track a video', deps.report)),
    ),
  );

/** What a call means, in a list; an empty list, after a report, where it means nothing. */
const videoInput = ([name, argument]: VideoCall, { report }: Pick<AddonDeps, 'report'>): readonly VideoInput[] => {
  if (name === 'start')
    return [
      {
        type: 'open',
        options: videoOptions(argument, (cause) => report('Addon ctv has invalid options', cause)),
      },
    ];
  const given =
    argument === undefined ? undefined : readAs(name === 'setDuration' ? MediaDuration : MediaPosition, argument);
  if (given instanceof DecodeError) report(invalidCall, new Error(`${name}/0: expected ${given.faults[0]?.expected}`));
  const ms = given instanceof DecodeError ? undefined : given;
  if (name === 'setDuration') return ms === undefined ? [] : [{ type: 'duration', duration: ms }];
  return [{ type: name, position: ms }];
};

/**
 * The events of one video. All its inputs go through one `scan`, so that each step sees what the one before has left.
 */
const oneVideo = (
  call$: Observable<VideoInput>,
  element: MediaElement | undefined,
  { pageExit$ }: Pick<AddonStreams, 'pageExit$'>,
  { isVisible, report }: Pick<AddonDeps, 'isVisible' | 'report'>,
): Observable<EventDraft> => {
  const position = (): number | undefined => element && positionOf(element);
  const unload$ = pageExit$.pipe(
    filter(({ step, isUnloading }) => step === 'beforeFlush' && isUnloading),
    map((): VideoInput => ({ type: 'stop', position: position() })),
  );
  return call$.pipe(
    skipWhile(({ type }) => {
      if (type === 'open') return false;
      report(invalidCall, new Error(`${type}: expected a video that permutive.addon('ctv') has started`));
      return true;
    }),
    connect((called$) =>
      // switchMap: another start listens to the element anew.
      merge(called$, element === undefined ? EMPTY : called$.pipe(switchMap(() => fromElement(element))), unload$),
    ),
    connect((input$) =>
      merge(
        input$,
        input$.pipe(
          whilePlaying(interval(secondMs)),
          filter(() => element?.seeking !== true),
          map((): VideoInput => ({ type: 'second', isVisible: isVisible(), position: position() })),
        ),
      ),
    ),
    scan(videoStep, noVideo),
    mergeMap(({ drafts }) => drafts),
  );
};

/** Follows a stream while the video plays. */
const whilePlaying =
  (source$: Observable<unknown>): OperatorFunction<VideoInput, unknown> =>
  (input$) =>
    input$.pipe(
      filter(({ type }) => type !== 'duration'),
      map(({ type }) => type === 'play'),
      distinctUntilChanged(),
      switchMap((isPlaying) => (isPlaying ? source$ : EMPTY)),
    );
