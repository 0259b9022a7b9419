import { addonList, type ListedAddon } from '../../src/addons/addonList';
import { serviceInputs } from '../../src/api/serviceInputs';
import { type Fields, isRecord } from '../../src/codecs/codecs';
import { ownEntry } from '../../src/hardening/ownFields';
import { configTable } from '../../src/model/config';
import { commonOptions, optionFaults, optionNames } from '../readOptions';
import { doubtful, nearestName, type ProjectFinding } from './finding';

/** Keys of a definition that may be left out. A program of the publisher's may keep other keys there. */
const optionalKeys = [
  'rules',
  'lift',
  'events',
  'standardAudiences',
  'taxonomies',
  'pps',
  'contentParameters',
  'controlGroup',
  'amp',
  'cohortNames',
];

type ReadableAddon = Pick<ListedAddon, 'options' | 'pageOptions'>;

/**
 * Keys that nothing reads: of settings, of addons' options, and those that are nearly a key of the definition. Values
 * of options that the addon would replace by its default.
 */
export const settingFindings = (definition: unknown): readonly ProjectFinding[] => {
  if (!isRecord(definition)) return [];
  const { config, addons } = definition;
  return [
    ...Object.keys(definition)
      .filter((key) => !optionalKeys.includes(key))
      .flatMap((key) => {
        const meant = optionalKeys.find((known) => isSlip(key, known));
        return meant === undefined ? [] : [{ path: key, ...doubtful('nothing reads this key', `write ${meant}`) }];
      }),
    ...unread(config, Object.keys(configTable), 'config', 'setting'),
    ...entriesOf(addons).flatMap(([addon, given]) => {
      const listed: ReadableAddon | undefined =
        ownEntry(addonList, addon) ?? (serviceInputs.includes(addon) ? {} : undefined);
      return listed === undefined || !isRecord(given) ? [] : optionFindings(addon, given, listed);
    }),
  ];
};

/** Options of an addon that its code does not read, or cannot read as they are. */
const optionFindings = (addon: string, given: Fields, listed: ReadableAddon): readonly ProjectFinding[] => {
  const path = `addons/${addon}`;
  const ofPage = (listed.pageOptions ?? []).filter((option) => ownEntry(given, option) !== undefined);
  const others = Object.fromEntries(Object.entries(given).filter(([option]) => !ofPage.includes(option)));
  return [
    ...unread(given, [...commonOptions, ...optionNames(listed)], path, `option of ${addon}`),
    ...ofPage.map((option) => ({
      path: `${path}/${option}`,
      ...doubtful('only a page can give this option', 'give it to permutive.addon there'),
    })),
    ...optionFaults(listed, others).map((fault) => ({
      path: `${path}/${fault.path}`,
      ...doubtful(`expected ${fault.expected}, so ${addon} goes by its default`, 'write it so, or leave it out'),
    })),
  ];
};

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [];

/** One letter more, less or other, or the same letters in another case. */
const isSlip = (key: string, known: string): boolean =>
  Math.abs(key.length - known.length) <= 1 &&
  (key.toLowerCase() === known.toLowerCase() || nearestName(key, [known]) !== undefined);

const unread = (table: unknown, known: readonly string[], path: string, what: string): readonly ProjectFinding[] =>
  entriesOf(table)
    .filter(([key]) => !known.includes(key))
    .map(([key]) => {
      const nearest = nearestName(key, known);
      return {
        path: `${path}/${key}`,
        ...doubtful(`no ${what} has this name`, nearest === undefined ? 'leave it out' : `write ${nearest}`),
      };
    });
