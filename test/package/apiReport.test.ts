import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

it('has the public surface of the package as it is: `npm run build` and `npm run api-report` write it', () => {
  const printed = execFileSync(process.execPath, ['scripts/apiReport.mjs', '--print'], { encoding: 'utf8' });
  const kept = Object.fromEntries(
    readdirSync(resolve('api')).map((file) => [file, readFileSync(resolve('api', file), 'utf8')]),
  );
  expect(kept).toEqual(JSON.parse(printed));
});
