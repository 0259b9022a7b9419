import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';

import { importCohort } from '../project/importCohorts/importCohorts';
import { command } from './command';

/**
 * Reads one cohort of the published API, or a list of them, and writes definitions as JSON. What could not be
 * translated is named with its place, and the exit code is then 1. The other definitions are still written.
 */
export const importCohorts = command(
  {
    usage: 'FILE [--exact-case]',
    summary: 'Prints definitions of cohorts of the published API. --exact-case: upper and lower case stay apart.',
    options: { 'exact-case': { type: 'boolean', default: false } },
    operands: [1, 1],
  },
  ({ values, positionals: [file = ''] }, io) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8'));
    } catch (error) {
      io.err(`error ${file}: ${error instanceof Error ? error.message : String(error)}`);
      return 1;
    }
    const isMany = Array.isArray(parsed);
    const results = (isMany ? (parsed as readonly unknown[]) : [parsed]).map((json) =>
      importCohort(json, { exactCase: values['exact-case'] }),
    );
    const definitions = results.flatMap((result, i) => {
      const place = isMany ? `${i}/` : '';
      if (isLeft(result)) io.err(`error ${place}${result.left.message}`);
      else for (const warning of result.right.warnings) io.err(`warning ${place}${warning}`);
      return isLeft(result) ? [] : [result.right.definition];
    });
    io.out(JSON.stringify(definitions, null, 2));
    return definitions.length === results.length ? 0 : 1;
  },
);
