import { type NotesDeps, readNote, writeNote } from '../model/notes';
import type { Tools } from '../platform/platform';

export type SamplingDeps = NotesDeps & Pick<Tools, 'setting' | 'random'>;

/**
 * Whether this visitor's metrics are sent. The choice is made once at random, by the setting
 * `metricsSamplingPercentage`, and stored as the note `metricsEnabled` for the visitor's later pages (spec C§4).
 */
export const isSampled = (deps: SamplingDeps): boolean => {
  const remembered = readNote('metricsEnabled', deps);
  if (typeof remembered === 'boolean') return remembered;
  const chosen = deps.random() * 100 < deps.setting('metricsSamplingPercentage');
  writeNote('metricsEnabled', chosen, deps);
  return chosen;
};
