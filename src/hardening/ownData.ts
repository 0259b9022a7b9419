/** Plain data in a copy whose objects inherit nothing, all the way down; see `ownFields`. */
export const ownData = <A>(data: A): A => {
  if (Array.isArray(data)) return data.map(ownData) as A;
  if (typeof data !== 'object' || data === null) return data;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(data)) copy[name] = ownData(value);
  return copy as A;
};
