import type { Settings } from '../model/config';
import { type NotesDeps, readNote, writeNote } from '../model/notes';

export interface SamplingDeps extends NotesDeps {
  readonly setting: Settings;
  readonly random: () => number;
}

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
