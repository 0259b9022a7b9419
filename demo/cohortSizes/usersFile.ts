import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../../src/codecs/decode';
import { json } from '../../src/hardening/plainJson';
import type { Latest } from './latest';

const StoredLatest = t.intersection(
  [
    t.type({ time: t.number, event: t.string, cohorts: t.readonlyArray(t.string) }),
    t.partial({ group: t.keyof({ control: null, exposed: null }) }),
  ],
  'Latest',
);
const StoredUsers = t.type({ sequence: t.number, users: t.readonlyArray(t.tuple([t.string, StoredLatest])) }, 'Users');

/** What was read of the stream: up to which message, and what that says of each user. */
export interface Users {
  /** The highest sequence number of the stream that was read; 0 where none was. */
  readonly sequence: number;
  readonly latest: ReadonlyMap<string, Latest>;
}

/** A file in which the users outlive the process and the machine. */
export interface UsersFile {
  /** Throws where the file cannot be read as users. */
  readonly read: () => Users;
  /** Writes the whole file. Once this has returned, the users are on disk; until then, those of before. */
  readonly write: (users: Users) => void;
}

/** The file `users.json` of this folder, which is made where there is none. */
export const usersFile = (folder: string): UsersFile => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'users.json');
  return {
    read: () => {
      if (!existsSync(file)) return { sequence: 0, latest: new Map() };
      const stored = decode(StoredUsers)(json.parse(readFileSync(file, 'utf8')));
      if (isLeft(stored)) throw new Error(`${file}: ${stored.left.message}. Without it, the stream is read anew.`);
      return { sequence: stored.right.sequence, latest: new Map(stored.right.users) };
    },
    write: ({ sequence, latest }) => {
      const fresh = openSync(`${file}.new`, 'w');
      writeFileSync(fresh, JSON.stringify({ sequence, users: [...latest] }));
      fsyncSync(fresh);
      closeSync(fresh);
      renameSync(`${file}.new`, file);
    },
  };
};
