import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeExamples } from '../../project/examples/examples';

it('writes examples through no link that a project has beside them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  const [examples, secret] = [join(folder, 'examples'), join(folder, 'secret')];
  mkdirSync(examples);
  writeFileSync(secret, 'of the person');
  symlinkSync(secret, join(examples, '7.json.new'));
  writeExamples(folder, '7', [{ name: 'a', at: 0, isMember: true, events: [] }]);
  expect(readFileSync(secret, 'utf8')).toBe('of the person');
  expect(readFileSync(join(examples, '7.json'), 'utf8')).toContain('"a"');
  expect(readdirSync(examples)).toEqual(['7.json', '7.json.new']);
});
