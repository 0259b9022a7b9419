import type { Candidate } from './candidates';

/** The page of an article, with a script in its head. */
export const pageOf = (script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>An article about copper</title>
<script>${script}
</script></head>
<body><h1>An article about copper</h1>${'<p>Copper rose for a third day as buyers returned to the market after the holidays.</p>'.repeat(40)}</body></html>`;

/** Inserts the script element whose address is `src`, with what the candidate's documentation puts around it. */
export const insertScript = (candidate: Candidate | undefined): string => `
      ${candidate?.before ?? ''}
      var script = document.createElement('script');
      script.async = true; script.src = src;${pinned(candidate?.integrity)}
      script.onload = function () { ${candidate?.after ?? ''} };
      document.head.appendChild(script);`;

const pinned = (integrity: string | undefined): string =>
  integrity === undefined ? '' : ` script.integrity = '${integrity}'; script.crossOrigin = 'anonymous';`;
