import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { eventIn } from '../../project/visits/visits';
import { readVisitFile } from '../../studio/server/visits/readFile';
import { VisitStore } from '../../studio/server/visits/visitStore';

const event = { name: 'Pageview', time: 1_700_000_000_000, properties: {} };

describe('eventIn', () => {
  it.each([event.time, new Date(event.time).toISOString()])('reads the time %p', (time) => {
    expect(eventIn({ ...event, time })).toEqual(event);
  });

  it.each([{ toString: 1 }, [], null, 'soon', 1e300, NaN, true])('takes nothing of the time %p', (time) => {
    expect(eventIn({ ...event, time })).toBeUndefined();
  });

  it('leaves out ids that are no texts', () => {
    expect(eventIn({ ...event, session_id: {}, view_id: 'v' })).toEqual({ ...event, view_id: 'v' });
  });
});

describe('readVisitFile', () => {
  const read = async (name: string, content: string | Buffer) => {
    const file = join(mkdtempSync(join(tmpdir(), 'visits-')), name);
    writeFileSync(file, content);
    const store = new VisitStore();
    const reading = await readVisitFile(file, store, new AbortController().signal);
    return { ...reading, count: store.count };
  };
  const line = JSON.stringify({ ...event, user_id: 'a' });

  it('goes on after a line with an odd time', async () => {
    const odd = JSON.stringify({ ...event, user_id: 'a', time: { toString: 1 } });
    expect(await read('visits.jsonl', [line, odd, line].join('\n'))).toMatchObject({ lines: 3, wrong: 1, count: 2 });
  });

  it('reads no line without an end', async () => {
    await expect(read('visits.jsonl.gz', gzipSync(Buffer.alloc(40_000_000, 'a')))).rejects.toThrow(
      'line 1 is longer than 16 MB',
    );
  });
});
