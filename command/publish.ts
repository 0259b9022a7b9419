import { resolve } from 'node:path';

import { commonHeaders } from '../bundle/fileHeaders';
import { command, WrongCall } from './command';
import { isPartOfHead } from './support/pageFiles';
import { sdkPackage } from './support/sdk';
import { tableText } from './support/tableText';
import { uploadPlan } from './support/uploadPlan';

/** Says how a build is published. */
export const publish = command(
  {
    usage: '[DIR] --dry-run [--json]',
    summary: 'Lists the files of a build in the order of their upload, with their headers, and what is rolled back to.',
    options: { 'dry-run': { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    operands: [0, 1],
  },
  ({ values, positionals: [given = 'dist'] }, io) => {
    if (!values['dry-run']) throw new WrongCall('it only plans: upload by your own means, and call it with --dry-run');
    const folder = resolve(io.cwd, given);
    const { files, uploads: planned, present, rollback } = uploadPlan(folder, given);
    if (values.json) {
      io.out(JSON.stringify({ uploads: planned, headers: commonHeaders, rollback }, null, 2));
      return 0;
    }
    io.out(
      tableText(
        ['', 'file', 'content-type', 'cache-control'],
        planned.map(({ file, contentType, cacheControl }, i) => [i + 1, file, contentType, cacheControl]),
      ),
    );
    io.out('');
    io.out('Headers of every file:');
    for (const [name, value] of Object.entries(commonHeaders)) io.out(`  ${name}: ${value}`);
    io.out('');
    io.out(
      `Not uploaded, because pages have their text in the head: ${files.filter(isPartOfHead).join(', ') || 'none'}`,
    );
    io.out(
      rollback === null
        ? `Rollback: ${given} has only ${present ?? `version ${sdkPackage().version}`}. Keep the folder of the version that pages have now.`
        : `Rollback: copy the files of ${rollback}/ over those without a version, page script last, and purge the cache.`,
    );
    return 0;
  },
);
