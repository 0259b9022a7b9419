import type { ListedAddon } from '../src/addons/addonList';
import { DecodeError, type Fault, type Fields } from '../src/codecs/codecs';

type OptionsOfAddon = Pick<ListedAddon, 'options'>;

/** Options that every addon has. */
export const commonOptions: readonly string[] = ['auto_init', 'tcf_purposes'];

/** The names of the options that an addon of the list reads, beside those of every addon. */
export const optionNames = ({ options }: OptionsOfAddon): readonly string[] =>
  Object.keys(options?.({}, () => undefined) ?? {}).filter((name) => !commonOptions.includes(name));

/** The values that the code of an addon would report and replace by its defaults; each path begins with the option. */
export const optionFaults = ({ options }: OptionsOfAddon, given: Fields): readonly Fault[] => {
  const faults: Fault[] = [];
  options?.(given, (cause) => {
    if (cause instanceof DecodeError) faults.push(...cause.faults);
  });
  return faults;
};
