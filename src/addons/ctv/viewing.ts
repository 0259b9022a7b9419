import type { EventDraft, Properties } from '../../model/event';
import type { VideoOptions } from './options';
import { type Watched, watchedShare, withStretch } from './watched';

/** Engagement is told each time a visitor has watched for so many seconds more. */
const secondsPerEvent = 5;

/**
 * What can happen to a video: the page opens it; it plays, from a place where that is known; it pauses; it stops,
 * because it has ended or is left; its length becomes known or unknown; another second has passed while it plays.
 * Places and lengths are in ms. A second without a place is one of a player that does not tell where it is.
 */
export type VideoInput =
  | { readonly type: 'open'; readonly options: VideoOptions }
  | { readonly type: 'play' | 'pause' | 'stop'; readonly position?: number | undefined }
  | { readonly type: 'duration'; readonly duration: number | undefined }
  | { readonly type: 'second'; readonly isVisible: boolean; readonly position?: number | undefined };

/** One view of a video: from its Videoview to its VideoCompletion. */
interface Viewing {
  readonly isPlaying: boolean;
  /** Where the video is, in ms. */
  readonly position: number;
  readonly watched: Watched;
  /** Seconds. */
  readonly engagedTime: number;
  /** What VideoEngagement has told: seconds, and how much of the video. */
  readonly told: { readonly engagedTime: number; readonly completion: number };
}

/** A video of the page, and the events that the last input led to. */
export interface VideoState {
  /** Undefined before the page has opened a video. */
  readonly options: VideoOptions | undefined;
  /** Ms, as the player tells it; undefined while it does not. */
  readonly duration: number | undefined;
  /** Undefined while the visitor does not watch the video. */
  readonly viewing: Viewing | undefined;
  /** To be tracked in this order. */
  readonly drafts: readonly EventDraft[];
}

/** The state before the page has opened a video. */
export const noVideo: VideoState = { options: undefined, duration: undefined, viewing: undefined, drafts: [] };

const freshViewing: Viewing = {
  isPlaying: false,
  position: 0,
  watched: [],
  engagedTime: 0,
  told: { engagedTime: 0, completion: 0 },
};

/**
 * One step of a video. A view begins with a Videoview: when the page opens the video, or when its element plays. Each
 * five seconds that were watched make a VideoEngagement, for this browser only. The end of the view makes a
 * VideoCompletion. A video that plays again is viewed again. Pure.
 */
export const videoStep = (before: VideoState, input: VideoInput): VideoState => {
  const state: VideoState = { ...before, drafts: [] };
  switch (input.type) {
    case 'open': {
      const opened: VideoState = { ...finished(state), options: input.options, duration: undefined };
      return input.options.element === undefined ? viewed(opened) : opened;
    }
    case 'duration':
      return { ...state, duration: input.duration };
    case 'play':
      return played(state, input.position);
    case 'pause':
      return paused(state, input.position);
    case 'stop':
      return finished(paused(state, input.position));
    case 'second':
      return watchedOn(state, input);
  }
};

/** Begins a view. */
const viewed = (state: VideoState): VideoState => ({
  ...state,
  viewing: freshViewing,
  drafts: [...state.drafts, { name: 'Videoview', properties: videoOf(state) }],
});

const played = (state: VideoState, position: number | undefined): VideoState => {
  if (state.options === undefined) return state;
  const { viewing = freshViewing, ...rest } = state.viewing === undefined ? viewed(state) : state;
  return { ...rest, viewing: { ...viewing, isPlaying: true, position: position ?? viewing.position } };
};

const paused = (state: VideoState, position: number | undefined): VideoState => {
  const { viewing } = state;
  if (viewing === undefined) return state;
  return { ...state, viewing: { ...movedTo(viewing, position ?? viewing.position), isPlaying: false } };
};

/** The view at another place. What lies between was watched if the video was playing. */
const movedTo = (viewing: Viewing, position: number): Viewing => ({
  ...viewing,
  position,
  watched: viewing.isPlaying ? withStretch(viewing.watched, viewing.position, position) : viewing.watched,
});

/** A second of a playing video. The second does not count where the page is hidden or the video has not advanced. */
const watchedOn = (
  state: VideoState,
  { isVisible, position }: Extract<VideoInput, { readonly type: 'second' }>,
): VideoState => {
  const { viewing } = state;
  if (viewing?.isPlaying !== true) return state;
  const moved = movedTo(viewing, position ?? viewing.position + 1000);
  const counts = isVisible && moved.position > viewing.position;
  const now = { ...moved, engagedTime: moved.engagedTime + (counts ? 1 : 0) };
  return now.engagedTime - now.told.engagedTime >= secondsPerEvent ? told(state, now) : { ...state, viewing: now };
};

/** Tracks the seconds that were watched since the last event. */
const told = (state: VideoState, viewing: Viewing): VideoState => {
  const { engagedTime } = viewing;
  const completion = completionIn(state, viewing) ?? 0;
  const properties = {
    ...videoOf(state),
    engaged_time: engagedTime - viewing.told.engagedTime,
    total_engaged_time: engagedTime,
    completion: Math.max(0, Math.round(10_000 * (completion - viewing.told.completion)) / 10_000),
    total_completion: completion,
  };
  return {
    ...state,
    viewing: { ...viewing, told: { engagedTime, completion } },
    drafts: [...state.drafts, { name: 'VideoEngagement', properties, edgeOnly: true }],
  };
};

/** Ends the view, if there is one. Seconds that no event has told yet are told first. */
const finished = (state: VideoState): VideoState => {
  const { viewing } = state;
  if (viewing === undefined) return state;
  const { engagedTime } = viewing;
  const { drafts } = engagedTime > viewing.told.engagedTime ? told(state, viewing) : state;
  const completion = completionIn(state, viewing);
  const totals = { engaged_time: engagedTime, ...(completion !== undefined && { completion }) };
  const properties = { ...videoOf(state), ...totals, aggregations: { VideoEngagement: totals } };
  // The page may unload right after it.
  return { ...state, viewing: undefined, drafts: [...drafts, { name: 'VideoCompletion', properties, beacon: true }] };
};

/** How much of the video was watched; undefined where nobody knows how long it is. */
const completionIn = ({ duration, options }: VideoState, { watched }: Viewing): number | undefined => {
  const length = duration ?? options?.duration;
  return length === undefined ? undefined : watchedShare(watched, length);
};

const videoOf = ({ options }: VideoState): Properties => ({ video: options?.videoProperties ?? {} });
