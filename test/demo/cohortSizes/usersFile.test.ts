import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Users, usersFile } from '../../../demo/cohortSizes/usersFile';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'users-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const users: Users = {
  sequence: 7,
  latest: new Map([['ann', { time: 5, event: 'a', cohorts: ['1'], group: 'control' }]]),
};

it('has nobody at first, and then what was written last', () => {
  const data = join(folder, 'of', 'cohorts');
  expect(usersFile(data).read()).toEqual({ sequence: 0, latest: new Map() });

  usersFile(data).write({ sequence: 3, latest: new Map() });
  usersFile(data).write(users);
  expect(usersFile(data).read()).toEqual(users);
});

it('keeps what was written before where a write was cut off', () => {
  usersFile(folder).write(users);
  writeFileSync(join(folder, 'users.json.new'), '{"sequence":9,"us');

  expect(usersFile(folder).read()).toEqual(users);
});

it.each(['{"sequence":7', '{"sequence":7,"users":[["ann",{"time":"5"}]]}'])(
  'says that a file is broken: %s',
  (text) => {
    writeFileSync(join(folder, 'users.json'), text);
    expect(() => usersFile(folder).read()).toThrow('users.json: ');
  },
);
