/** The list under a key, made and entered where there is none. */
export const listAt = <Key, Value>(table: Map<Key, Value[]>, key: Key): Value[] => {
  const list = table.get(key) ?? [];
  table.set(key, list);
  return list;
};
