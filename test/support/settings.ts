import { type Settings, settingsFrom } from '../../src/model/config';

/** The settings of a page with this config; a wrong value fails the test. */
export const settingsOf = (config: Readonly<Record<string, unknown>> = {}): Settings =>
  settingsFrom({
    page: () => config,
    overrides: {},
    project: { apiKey: 'key' },
    report: (_, cause) => {
      throw cause;
    },
  });
