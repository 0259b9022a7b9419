import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file whole or not at all: aside, and renamed. The name aside cannot be known before, because a link of that
 * name in a folder of others would be followed.
 */
export const writeWhole = (file: string, text: string): void => {
  const aside = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(aside, text, { flag: 'wx' });
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
};
