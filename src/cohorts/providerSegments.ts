import { json } from '../hardening/plainJson';

/** By provider, the visitor's segments there. */
export type ProviderSegments = Readonly<Record<string, readonly string[]>>;

/**
 * What is kept of a provider's segments: with their names, an event with all of them stays below the size of an event
 * (docs/decisions/024-event-size.md), and those of all providers take little of local storage.
 */
const maxSegments = 500;
const maxSegmentLength = 64;
/** Providers whose segments are kept; an allow-list is shorter. */
const maxProviders = 50;

/** The segments of each provider, each once, as far as there is room. Providers without any are left out. */
export const boundedSegments = (
  items: readonly (readonly [provider: string, segments: readonly string[]])[],
): ProviderSegments => {
  const byProvider = new Map<string, Set<string>>();
  for (const [provider, segments] of items) {
    const known = byProvider.get(provider) ?? new Set();
    for (const segment of segments)
      if (known.size < maxSegments && segment !== '' && segment.length <= maxSegmentLength) known.add(segment);
    if (known.size > 0) byProvider.set(provider, known);
  }
  return Object.fromEntries([...byProvider].slice(0, maxProviders).map(([name, known]) => [name, [...known]]));
};

/** The same text for the same segments, whatever their order is. */
export const segmentsText = (segments: ProviderSegments): string =>
  json.stringify(
    Object.keys(segments)
      .sort()
      .map((provider) => [provider, [...(segments[provider] ?? [])].sort()]),
  );
