import { gzipSync } from 'node:zlib';

import { bodyText } from '../../command/companion/followVisits';

describe('bodyText', () => {
  it.each([
    ['nothing', null, ''],
    ['text', Buffer.from('{}'), '{}'],
    ['gzip', gzipSync('{}'), '{}'],
    ['what is no gzip', Buffer.from([0x1f, 0x8b, 0]), ''],
    ['gzip that fills the memory', gzipSync(Buffer.alloc(50_000_000)), ''],
  ])('reads %s', (_, body, text) => {
    expect(bodyText(body)).toBe(text);
  });
});
