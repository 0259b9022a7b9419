import { isRecord } from '../../codecs/codecs';
import { clockType } from '../log';
import { type Door, read, type ReplayDeps } from './door';

/** The visitor's clock, as the page reads it. */
export const clockDoor: Door<() => number> = {
  ...read('now', Number),
  replayed: (_, { log: { header }, playback, elapsed }) => {
    let [noted, at] = [header.clock, 0];
    return () => {
      const value = playback.read('now', '');
      if (typeof value === 'number' && value !== noted) [noted, at] = [value, elapsed()];
      const since = Math.floor(elapsed() - at);
      // Two reads of one millisecond are noted once. More time has passed only where the replay differs from the log.
      return since < 2 ? noted : noted + since;
    };
  },
};

/** The visitor's clock, as the engine of a replay reads it. */
export const visitorClock = ({ log: { header, lines }, elapsed }: Pick<ReplayDeps, 'log' | 'elapsed'>) => {
  const drifts = lines.flatMap(({ t, type, data }) =>
    type === clockType && isRecord(data) ? [{ t, drift: Number(data['drift']) }] : [],
  );
  return (): number =>
    Math.floor(header.clock + elapsed() + (drifts.filter(({ t }) => t <= elapsed()).at(-1)?.drift ?? 0));
};
