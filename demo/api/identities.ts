import { identify } from '../../src/endpoints/identify';
import { type Route, served } from './served';

export interface Identities {
  readonly routes: readonly Route[];
  readonly clear: () => void;
}

/** Whose each alias is. The first user id with an alias keeps it, so a second browser gets the first one's id. */
export const identities = (): Identities => {
  const owners = new Map<string, string>();
  const route = served(identify, ({ body: { user_id, aliases } }) => {
    const keys = [...aliases].sort((a, b) => a.priority - b.priority).map(({ tag, id }) => `${tag}:${id}`);
    const known = keys.find((key) => owners.has(key));
    const owner = (known === undefined ? undefined : owners.get(known)) ?? user_id;
    for (const key of keys) if (!owners.has(key)) owners.set(key, owner);
    return { user_id: owner };
  });
  return { routes: [route], clear: () => owners.clear() };
};
