import { type NotesDeps, readNote, writeNote } from '../model/notes';
import type { Tools } from '../platform/platform';

export type SamplingDeps = NotesDeps & Pick<Tools, 'setting' | 'random'>;

/**
 * Whether this visitor's metrics are sent. The choice is made once at random, by the setting
 * `metricsSamplingPercentage`, and stored as the note `metricsEnabled` for the visitor's later pages (spec C§4). Where
 * the setting means all visitors or none, an older choice does not count.
 */
export const isSampled = (deps: SamplingDeps): boolean => {
  const remembered = readNote('metricsEnabled', deps);
  const percentage = deps.setting('metricsSamplingPercentage');
  const isChoice = percentage > 0 && percentage < 100;
  if (isChoice && typeof remembered === 'boolean') return remembered;
  const chosen = isChoice ? deps.random() * 100 < percentage : percentage > 0;
  if (chosen !== remembered) writeNote('metricsEnabled', chosen, deps);
  return chosen;
};
