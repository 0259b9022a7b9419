import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

import { stageForTests } from './support/stage';

interface Ended {
  readonly code: number;
  readonly printed: string;
}

const root = resolve(__dirname, '../..');
const doctor = (...args: readonly string[]): Promise<Ended> =>
  new Promise((ended) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', resolve(root, 'command/main.ts'), 'doctor', ...args],
      { cwd: root },
      (error, stdout, stderr) => ended({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    );
  });

describe('npm run doctor', () => {
  const stage = stageForTests();

  test('finds no error on the demo site', async () => {
    const { code, printed } = await doctor(`${stage.demo.site}/`);
    expect(printed).toMatch(/^info +sdk +The SDK is version v\d/m);
    expect(printed).toMatch(/^0 errors, \d+ warnings?$/m);
    expect(code).toBe(0);
  });

  test('prints what is wrong with its fix, and ends with 1', async () => {
    const { code, printed } = await doctor(`${stage.demo.site}/?consent=required`);
    expect(printed).toMatch(/^error {4}consent {2,}Consent is required, and the page has not given it$/m);
    expect(printed).toMatch(
      /^ +→ Call permutive\.consent\(\{ opt_in: true, token \}\) once the visitor has agreed\.$/m,
    );
    expect(printed).toMatch(/^1 error, /m);
    expect(code).toBe(1);
  });

  test('says why the SDK has not started', async () => {
    const { code, printed } = await doctor(`${stage.demo.site}/empty`, '--json');
    expect(JSON.parse(printed)).toEqual([
      {
        severity: 'error',
        where: 'tag',
        finding: "Permutive was not initialized. Can't find permutive tag on the page",
        fix: 'Put the snippet into the head, before the script.',
      },
    ]);
    expect(code).toBe(1);
  });

  test('says that a page does not answer', async () => {
    const { code, printed } = await doctor('http://127.0.0.1:1/');
    expect(printed).toMatch(/^error {4}page {2}The page has not loaded: /m);
    expect(code).toBe(1);
  });
});
