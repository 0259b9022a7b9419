import { addonList } from '../../src/addons/addonList';
import { type Fault, isRecord } from '../../src/codecs/codecs';
import { checkSize } from '../../src/engine/cells/cellOrder';
import { canon } from '../../src/engine/language/canonical';
import type { Definition } from '../../src/engine/language/language';
import { activationText } from '../../src/model/activation';
import type { ProjectDefinition } from '../../src/model/project';
import { isReservedKey } from '../../src/model/storageKeys';
import { publicUrl } from '../../src/primitives/publicUrl';
import { isUuid } from '../../src/primitives/uuid';
import { optionNames } from '../readOptions';

export const publicAddress = 'an https address of a public host';

/** Values of activations that the addon would refuse on every page, each with what it expects. */
const activationChecks: readonly {
  readonly addon: string;
  readonly field: string;
  readonly expected: string;
  readonly holds: (value: string, page: ProjectDefinition) => boolean;
}[] = [
  {
    addon: 'local_storage',
    field: 'storage_key',
    expected: 'a key that the SDK does not use',
    holds: (key, { config }) => !isReservedKey(key) && key !== config['stateNamespace'],
  },
  {
    addon: 'tracking_pixel',
    field: 'pixel_url',
    expected: publicAddress,
    holds: (url) => publicUrl(url) !== undefined,
  },
];

export const activationFaults = (page: ProjectDefinition): readonly Fault[] =>
  activationChecks.flatMap(({ addon, field, expected, holds }) =>
    (page.activations[addon] ?? []).flatMap((activation, i) => {
      const value = activationText(activation, field);
      return value === undefined || holds(value, page)
        ? []
        : [{ path: `activations/${addon}/${i}/c/${field}`, expected }];
    }),
  );

/** Options of addons that are addresses, by their names. A placeholder such as `{{segment}}` may stand in them. */
export const addressFaults = ({ addons }: ProjectDefinition): readonly Fault[] =>
  Object.entries(addonList).flatMap(([addon, listed]) =>
    optionNames(listed)
      .filter((option) => option.endsWith('_url'))
      .flatMap((option) => {
        const given = addons[addon]?.[option];
        return given === undefined || (typeof given === 'string' && publicUrl(given.replace(/\{\{\w+\}\}/g, 'x')))
          ? []
          : [{ path: `addons/${addon}/${option}`, expected: publicAddress }];
      }),
  );

/** Queries that the engine would refuse on every page because they are too large. */
export const sizeFaults = (queries: readonly Definition[]): readonly Fault[] =>
  queries.flatMap((definition) => {
    try {
      checkSize(canon(definition));
      return [];
    } catch (error) {
      return [
        { path: `queries/${definition.id}`, expected: `a query that can be evaluated (${(error as Error).message})` },
      ];
    }
  });

/** Keys that the page would leave out without a word, because they cannot be what they stand for. */
const keyNames: Readonly<Record<string, readonly [expected: string, holds: (key: string) => boolean]>> = {
  cohortCodes: ['a cohort number as the key', (key) => /^\d+$/.test(key)],
  models: ['a UUID as the key', isUuid],
};

export const keyFaults = (input: unknown): readonly Fault[] =>
  Object.entries(keyNames).flatMap(([table, [expected, holds]]) => {
    const given = isRecord(input) ? input[table] : undefined;
    return isRecord(given)
      ? Object.keys(given)
          .filter((key) => !holds(key))
          .map((key) => ({ path: `${table}/${key}`, expected }))
      : [];
  });
