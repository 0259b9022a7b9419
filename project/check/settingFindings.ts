import { isRecord } from '../../src/codecs/codecs';
import { configTable } from '../../src/model/config';
import { addonOptionNames } from '../define/addonOptionNames';
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

/** Keys that nothing reads: of settings, of addons' options, and those that are nearly a key of the definition. */
export const settingFindings = (definition: unknown): readonly ProjectFinding[] => {
  if (!isRecord(definition)) return [];
  const { config, addons } = definition;
  return [
    ...keysOf(definition)
      .filter((key) => !optionalKeys.includes(key))
      .flatMap((key) => {
        const meant = optionalKeys.find((known) => isSlip(key, known));
        return meant === undefined ? [] : [{ path: key, ...doubtful('nothing reads this key', `write ${meant}`) }];
      }),
    ...unread(config, Object.keys(configTable), 'config', 'setting'),
    ...keysOf(addons).flatMap((addon) =>
      Object.hasOwn(addonOptionNames, addon)
        ? unread(
            (addons as Readonly<Record<string, unknown>>)[addon],
            addonOptionNames[addon as keyof typeof addonOptionNames],
            `addons/${addon}`,
            `option of ${addon}`,
          )
        : [],
    ),
  ];
};

const keysOf = (value: unknown): readonly string[] => (isRecord(value) ? Object.keys(value) : []);

/** One letter more, less or other, or the same letters in another case. */
const isSlip = (key: string, known: string): boolean =>
  Math.abs(key.length - known.length) <= 1 &&
  (key.toLowerCase() === known.toLowerCase() || nearestName(key, [known]) !== undefined);

const unread = (table: unknown, known: readonly string[], path: string, what: string): readonly ProjectFinding[] =>
  keysOf(table)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const nearest = nearestName(key, known);
      return {
        path: `${path}/${key}`,
        ...doubtful(`no ${what} has this name`, nearest === undefined ? 'leave it out' : `write ${nearest}`),
      };
    });
