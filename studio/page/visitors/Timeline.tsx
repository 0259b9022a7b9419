import { type ReactElement, useId } from 'react';

import type { EngineEvent } from '../../../src/engine/engine';
import { minuteMs } from '../../../src/primitives/duration';
import type { Change, Played } from '../play/playQuery';

interface TimelineProps {
  readonly played: Played;
  readonly events: readonly EngineEvent[];
  /** The moment that is looked at, in ms since 1970. */
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly isMember: boolean;
}

const when = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
/** Width of the drawing in its own units; the page stretches it. */
const width = 1000;

/** The visitor's time from left to right, with events and memberships, and a slider to move through it. */
export const Timeline = ({ played, events, at, onAt, isMember }: TimelineProps): ReactElement => {
  const slider = useId();
  const { from, to, changes } = played;
  const x = (time: number): number => (width * (time - from)) / (to - from);
  const latest = events.filter(({ time }) => time <= at).at(-1);
  const change = changes.filter((one) => one.at <= at).at(-1);
  const moments = changes.slice(1).map((one) => one.at);
  const times = events.map(({ time }) => time);
  return (
    <>
      <p className={isMember ? 'verdict member' : 'verdict'} role="status" data-test="verdict">
        <strong>{isMember ? 'Member' : 'Not a member'}</strong> at {when.format(at)} UTC
        {change !== undefined && change.at > from && `, since ${sinceText(change)}`}
      </p>
      <svg viewBox={`0 0 ${width} 60`} preserveAspectRatio="none" aria-hidden="true" className="line">
        <rect className="ground" x="0" y="30" width={width} height="20" />
        {changes.map((one, i) =>
          one.isMember ? (
            <rect
              key={one.at}
              className="in"
              x={x(one.at)}
              y="30"
              width={x(changes[i + 1]?.at ?? to) - x(one.at)}
              height="20"
            />
          ) : null,
        )}
        {events.map(({ time }, i) => (
          <line key={i} className="event" x1={x(time)} x2={x(time)} y1="6" y2="26" />
        ))}
        <line className="now" x1={x(at)} x2={x(at)} y1="0" y2="60" />
      </svg>
      <label htmlFor={slider}>Moment</label>
      <input
        id={slider}
        type="range"
        min={from}
        max={to}
        step="any"
        value={at}
        aria-valuetext={`${when.format(at)} UTC, ${isMember ? 'member' : 'not a member'}`}
        onChange={({ target }) => onAt(Number(target.value))}
        onKeyDown={(event) => {
          const steps = { ArrowLeft: -60, ArrowDown: -60, ArrowRight: 60, ArrowUp: 60, PageDown: -1440, PageUp: 1440 };
          const step = Object.hasOwn(steps, event.key) ? steps[event.key as keyof typeof steps] : undefined;
          if (step === undefined) return;
          // An arrow is an hour and a page a day, which a slider without steps does not know.
          event.preventDefault();
          onAt(Math.min(Math.max(at + step * minuteMs, from), to));
        }}
      />
      <p className="steps">
        <Step label="Previous event" to={times.filter((time) => time < at).at(-1)} onAt={onAt} />
        <Step label="Next event" to={times.find((time) => time > at)} onAt={onAt} />
        <Step label="Previous change" to={moments.filter((time) => time < at).at(-1)} onAt={onAt} />
        <Step label="Next change" to={moments.find((time) => time > at)} onAt={onAt} />
      </p>
      <p data-test="latest">
        {latest === undefined ? 'No event so far.' : `Latest event: ${latest.name}, ${when.format(latest.time)} UTC`}
      </p>
    </>
  );
};

const sinceText = ({ at, by }: Change): string =>
  `${when.format(at)} UTC, ${by === undefined ? 'as time went by' : `by ${by}`}`;

interface StepProps {
  readonly label: string;
  /** Undefined where there is none. */
  readonly to: number | undefined;
  readonly onAt: (at: number) => void;
}

const Step = ({ label, to, onAt }: StepProps): ReactElement => (
  <button type="button" aria-disabled={to === undefined} onClick={() => to !== undefined && onAt(to)}>
    {label}
  </button>
);
