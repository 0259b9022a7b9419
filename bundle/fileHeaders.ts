import { extname } from 'node:path';

/** Headers of every file that pages load. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};
export const contentTypeOf = (file: string): string => contentTypes[extname(file)] ?? 'text/javascript; charset=utf-8';

/** How long browsers and caches keep each kind of file. The first pattern that a path meets says it. */
const lifetimes = [
  {
    kind: 'named by content',
    pattern: /\.[\w-]{16}\.js(?:on)?$|(?:^|\/)[\w-]{16}\.[^/]*-web\.js$/,
    cacheControl: 'public, max-age=31536000, immutable',
  },
  { kind: 'page script', pattern: /-web\.js$/, cacheControl: 'public, max-age=300, stale-while-revalidate=3600' },
  { kind: 'list', pattern: /(?:^|\/)integrity\.json$/, cacheControl: 'no-cache' },
  { kind: 'other', pattern: /^/, cacheControl: 'public, max-age=3600, stale-while-revalidate=86400' },
] as const;

type Lifetime = (typeof lifetimes)[number];

const lifetimeOf = (file: string): Lifetime => lifetimes.find(({ pattern }) => pattern.test(file))!;
/** What kind of file a path of the build names. A file that is named by its content never changes. */
export const kindOf = (file: string): Lifetime['kind'] => lifetimeOf(file).kind;
export const cacheControlOf = (file: string): string => lifetimeOf(file).cacheControl;
