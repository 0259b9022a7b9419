import { readdirSync, readFileSync } from 'node:fs';
import browserslist from 'browserslist';

import { guarded, ownNames } from './compatibility/knownNames';
import { needsOf } from './compatibility/report';
import { browsers, type Versions } from './compatibility/requirements';
import { usedFeatures } from './compatibility/usedFeatures';

// Tells the oldest browsers on which each built file runs, by its syntax and the functions that it names, and fails
// where a file needs a newer one than `browserslist` in package.json has: `npm run compatibility`.

const supported = browserslist();
/** The oldest version of each browser that `browserslist` has. */
const oldest: Versions = browsers.map(({ list }) =>
  Math.min(
    ...supported
      .filter((each) => each.startsWith(`${list} `))
      .map((each) => Number.parseFloat(each.split(' ')[1] ?? '')),
  ),
);
const known = new Set([...Object.keys(guarded), ...ownNames]);
const files = readdirSync('dist').filter((name) => /\.m?js$/.test(name));
if (files.length === 0) throw new Error('dist has no scripts: run `npm run build` first');

const reports = files.map((file) => {
  const uses = usedFeatures(readFileSync(`dist/${file}`, 'utf8'), file.endsWith('.mjs') ? 'module' : 'script');
  return { title: file.replace(/^.*-(?=web|companion)/, ''), ...needsOf(uses, oldest, known) };
});

const row = (title: string, cells: readonly unknown[]): string =>
  title.padEnd(24) + cells.map((cell) => String(cell).padStart(18)).join('');
console.log(
  row(
    '',
    browsers.map(({ title }) => title),
  ),
);
console.log(row('supported from', oldest));
for (const { title, versions } of reports) console.log(row(title, versions));

const unused = [...known].filter((name) => !reports.some((report) => report.known.includes(name)));
for (const name of unused)
  console.log(`No file uses ${name}: remove the name from scripts/compatibility/knownNames.ts`);
for (const { title, unknown } of reports)
  for (const { name, needs } of unknown)
    console.log(
      `${title} uses ${name}, which needs ${browsers.map((browser, i) => `${browser.title} ${needs[i]}`).join(', ')}: ` +
        'do without, or ask for it first and say so in scripts/compatibility/knownNames.ts',
    );
process.exitCode = unused.length > 0 || reports.some(({ unknown }) => unknown.length > 0) ? 1 : 0;
