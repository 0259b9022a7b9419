import { TestScheduler } from 'rxjs/testing';

/** Something that a diagram shows at a frame. */
export interface Mark {
  /** Frame, which is a millisecond of virtual time. Frames before the `^` of a hot source are negative. */
  readonly at: number;
  readonly kind: 'value' | 'complete' | 'error' | 'subscribe' | 'unsubscribe';
  /** The letter of a value; empty for all other kinds. */
  readonly letter: string;
}

/** A marble diagram as it is read by RxJS. */
export interface Diagram {
  readonly marks: readonly Mark[];
  /** First frame that the diagram speaks of. */
  readonly from: number;
  /** The frame at which it ends: that of the completion, error or unsubscription, else the first one after it. */
  readonly to: number;
}

/** What a diagram shows: what a stream emits, or when it is subscribed to. */
export type DiagramKind = 'stream' | 'subscription';

/**
 * Reads a diagram by RxJS's own parser, in run mode. Throws where RxJS does, and for what it reads without a word and
 * nobody means: brackets that do not match, a second `^`, and anything after the end.
 */
export const diagramOf = (text: string, kind: DiagramKind): Diagram =>
  inRunMode(() => (kind === 'stream' ? streamOf(text) : subscriptionOf(text)));

/** In run mode a frame is one millisecond. Only inside `run` does RxJS count so. */
const inRunMode = <A>(read: () => A): A => new TestScheduler(() => undefined).run(read);

const streamOf = (text: string): Diagram => {
  if (!/^[^()]*(\([^()]*\)[^()]*)*$/.test(text)) throw new Error('brackets do not match');
  if (text.split('^').length > 2) throw new Error('a second subscription');
  const marks = TestScheduler.parseMarbles(text, undefined, undefined, false, true).map(
    ({ frame, notification }): Mark => {
      if (notification.kind === 'N') return { at: frame, kind: 'value', letter: String(notification.value) };
      return { at: frame, kind: notification.kind === 'C' ? 'complete' : 'error', letter: '' };
    },
  );
  const end = marks.find(({ kind }) => kind !== 'value');
  if (end !== undefined && end !== marks.at(-1)) throw new Error('something after the end');
  // A value behind the diagram stands where it ends, which RxJS does not tell.
  const behind = TestScheduler.parseMarbles(`${text} z`, undefined, undefined, false, true).at(-1)?.frame ?? 0;
  return { marks, from: Math.min(0, ...marks.map(({ at }) => at)), to: end?.at ?? behind };
};

const subscriptionOf = (text: string): Diagram => {
  const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions(text, true);
  const marks = (
    [
      { at: subscribedFrame, kind: 'subscribe', letter: '' },
      { at: unsubscribedFrame, kind: 'unsubscribe', letter: '' },
    ] satisfies readonly Mark[]
  ).filter(({ at }) => Number.isFinite(at));
  const to = Number.isFinite(unsubscribedFrame) ? unsubscribedFrame : subscribedFrame + 1;
  return { marks, from: 0, to: Number.isFinite(to) ? to : 0 };
};
