import { identify } from '../../src/endpoints/identify';
import { boundedMap, keptLimits } from './boundedMap';
import { type Route, served } from './served';

export interface Identities {
  readonly routes: readonly Route[];
  readonly clear: () => void;
}

/**
 * Whose each alias is, while there is room. The first user id with an alias keeps it, so a second browser gets the id
 * of the first one.
 */
export const identities = (): Identities => {
  const owners = boundedMap<string, string>({ ...keptLimits, items: 100_000 });
  const route = served(identify, ({ body: { user_id, aliases } }) => {
    const keys = [...aliases].sort((a, b) => a.priority - b.priority).map(({ tag, id }) => `${tag}:${id}`);
    const owner = keys.map((key) => owners.get(key)).find((known) => known !== undefined) ?? user_id;
    for (const key of keys) if (owners.get(key) === undefined) owners.set(key, owner, key.length + owner.length);
    return { user_id: owner };
  });
  return { routes: [route], clear: owners.clear };
};
