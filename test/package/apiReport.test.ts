import { spawnSync } from 'node:child_process';

it('has the public surface of the package as it is: `npm run build` and `npm run api-report` write it', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/apiReport.mjs', '--check'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
