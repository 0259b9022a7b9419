// npm run import-cohorts -- FILE [--exact-case]
// Reads one cohort of the published API, or a list of them, and writes definitions as JSON. What could not be
// translated is named on stderr with its place, and the exit code is then 1. The other definitions are still written.
import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';

import { importCohort } from '../project/importCohorts/importCohorts';

const [file, ...flags] = process.argv.slice(2);
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const run = (from: string): boolean => {
  const parsed: unknown = JSON.parse(readFileSync(from, 'utf8'));
  const isMany = Array.isArray(parsed);
  const results = (isMany ? (parsed as readonly unknown[]) : [parsed]).map((json) =>
    importCohort(json, { exactCase: flags.includes('--exact-case') }),
  );
  const definitions = results.flatMap((result, i) => {
    const place = isMany ? `${i}/` : '';
    if (isLeft(result)) say(`error ${place}${result.left.message}`);
    else for (const warning of result.right.warnings) say(`warning ${place}${warning}`);
    return isLeft(result) ? [] : [result.right.definition];
  });
  process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`);
  return definitions.length === results.length;
};

if (file === undefined || flags.some((flag) => flag !== '--exact-case')) {
  say('usage: npm run --silent import-cohorts -- FILE [--exact-case]');
  process.exitCode = 2;
} else {
  try {
    if (!run(file)) process.exitCode = 1;
  } catch (error) {
    say(`error ${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
