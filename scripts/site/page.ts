import { escaped } from './html';
import type { Part } from './part';

/** What the page is made of beside its chapters. */
export interface PageAssets {
  readonly title: string;
  readonly style: string;
  readonly script: string;
}

/** Chapters under one title in the contents. */
export interface Shelf {
  readonly title: string;
  readonly parts: readonly Part[];
}

/** One HTML file that needs no other: contents, chapters, and a search over all entries. */
export const pageOf = (shelves: readonly Shelf[], { title, style, script }: PageAssets): string => {
  const parts = shelves.flatMap((shelf) => shelf.parts);
  const entries = parts.flatMap((part) => part.entries);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header class="bar"><h1>${escaped(title)}</h1><input id="search" type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off"></header>
<ul id="results" aria-live="polite"></ul>
<div class="columns">
<nav aria-label="Contents">${shelves.map(contentsOf).join('\n')}</nav>
<main>${parts.map(({ id, html }) => `<section id="${id}">${html}</section>`).join('\n')}</main>
</div>
<script type="application/json" id="entries">${JSON.stringify(entries).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</body>
</html>
`;
};

const contentsOf = ({ title, parts }: Shelf): string =>
  [
    `<p>${escaped(title)}</p><ul>`,
    ...parts.map((part) =>
      part.links.length === 0
        ? `<li>${link(part)}</li>`
        : `<li><details><summary>${escaped(part.title)}</summary><ul>${[part, ...part.links].map((one) => `<li>${link(one)}</li>`).join('')}</ul></details></li>`,
    ),
    '</ul>',
  ].join('');

const link = ({ title, id }: { readonly title: string; readonly id: string }): string =>
  `<a href="#${id}">${escaped(title)}</a>`;
