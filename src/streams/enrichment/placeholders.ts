import { isRecord } from '../../codecs/codecs';

/**
 * Names of the placeholders (spec C§3). A property value that is exactly such a name is replaced. The data of
 * placeholders is read by the table in `fields.ts`, which is in the deferred chunk.
 */
const names =
  /^\$(ip_(geo_info(_continent)?|isp_info|address(_hash)?)|alchemy_(concepts|document_(emotion|sentiment)|entities|entity_names|keywords|taxonomy)|(alchemy_)?taxonomy_labels)$/;

const isPlaceholder = (value: unknown): value is string => typeof value === 'string' && names.test(value);

/** The placeholders in a plain value, at any depth, in order and with repetitions. */
export const placeholdersIn = (value: unknown): readonly string[] => {
  const found: string[] = [];
  // One list for all levels: every event is searched, and hardly one has a placeholder.
  const search = (item: unknown): void => {
    if (isPlaceholder(item)) found.push(item);
    else if (typeof item === 'object' && item !== null) for (const inside of Object.values(item)) search(inside);
  };
  search(value);
  return found;
};

/** A copy of a plain value with each placeholder replaced by what `replace` makes of its name. */
export const replaced = <A>(value: A, replace: (name: string) => unknown): A => {
  const copy = (item: unknown): unknown => {
    if (isPlaceholder(item)) return replace(item);
    if (Array.isArray(item)) return item.map(copy);
    return isRecord(item) ? Object.fromEntries(Object.entries(item).map(([key, inside]) => [key, copy(inside)])) : item;
  };
  return copy(value) as A;
};
