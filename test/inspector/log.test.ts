import { json } from '../../src/hardening/plainJson';
import { maxLogBytes, openLog } from '../../src/inspector/log';
import { parseLog } from '../../src/inspector/parseLog';

const clock = 1_767_268_800_000;
const logAt = (times: { elapsed: number; now?: number } = { elapsed: 0 }) =>
  openLog({
    json,
    elapsed: () => times.elapsed,
    now: () => times.now ?? clock + times.elapsed,
    salt: 0.5,
    header: { sdk: 'v1', project: 'workspace', clock, complete: true },
  });
const note = (data: unknown) => ({ lane: 'events', type: 'Pageview', data }) as const;

describe('a log', () => {
  it('is lines of JSON after a header', () => {
    const log = logAt({ elapsed: 12.5 });
    log.note(note({ a: 1 }));
    log.note(note(undefined));
    expect(log.text()).toBe(
      [
        `{"v":1,"sdk":"v1","project":"workspace","clock":${clock},"complete":true,"dropped":0}`,
        '{"t":12.5,"lane":"events","type":"Pageview","data":{"a":1}}',
        '{"t":12.5,"lane":"events","type":"Pageview","data":null}',
        '',
      ].join('\n'),
    );
    expect(parseLog(log.text(), json).lines).toHaveLength(2);
  });

  it('is empty once it was emptied, and says that it cannot be replayed', () => {
    const log = logAt();
    log.note(note({ a: 1 }));
    log.note(note({ a: 2 }));
    log.empty();
    expect(parseLog(log.text(), json)).toMatchObject({ header: { dropped: 2 }, lines: [] });
    expect(log.entries()).toEqual([]);
    log.note(note({ a: 3 }));
    expect(parseLog(log.text(), json).lines).toHaveLength(1);
  });

  it('tells each entry, with what it came from', () => {
    const log = logAt();
    const heard: unknown[] = [];
    log.entry$.subscribe(({ id, causes }) => heard.push([id, causes]));
    const first = log.note(note(1));
    log.during(first, () => log.note(note(2)));
    log.link('event x', first);
    log.note({ ...note(3), causes: log.linked('event x', 'event y') });
    log.note(note(4));
    expect(heard).toEqual([
      [1, []],
      [2, [1]],
      [3, [1]],
      [4, []],
    ]);
  });

  it('keeps what has room, and counts what has not', () => {
    const log = logAt();
    const text = 'ä'.repeat(100_000);
    for (let i = 0; i < 12; i += 1) log.note(note({ i, text }));
    expect(Buffer.byteLength(log.text())).toBeLessThan(maxLogBytes + 200);
    expect(log.entries().map(({ data }) => (data as { i: number }).i)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(parseLog(log.text(), json).header.dropped).toBe(2);
  });

  it.each(['customer-7', '1', 'a "quoted" \\ id'])('has no %s that was hidden, wherever it stands', (secret) => {
    const log = logAt({ elapsed: 1 });
    log.hide(secret);
    const body = JSON.stringify({ id: secret, stored: JSON.stringify([secret]) });
    log.note(note({ id: secret, n: 1, body }));
    const [{ data } = { data: null }] = log.entries();
    const shown = data as { readonly id: string; readonly n: number; readonly body: string };
    expect(shown.id).toMatch(/^hidden-/);
    expect(shown.n).toBe(1);
    expect(JSON.parse(shown.body)).toEqual({ id: shown.id, stored: JSON.stringify([shown.id]) });
  });

  it('notes that the visitor’s clock was changed', () => {
    const times = { elapsed: 0, now: clock };
    const log = logAt(times);
    log.note(note(1));
    Object.assign(times, { elapsed: 100, now: clock + 100 + 60_000 });
    log.note(note(2));
    log.note(note(3));
    expect(log.entries().map(({ type, data }) => [type, data])).toEqual([
      ['Pageview', 1],
      ['clock', { drift: 60_000 }],
      ['Pageview', 2],
      ['Pageview', 3],
    ]);
  });

  it('takes what JSON cannot hold for null', () => {
    const log = logAt();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    log.note(note(cycle));
    log.note(note(1n));
    expect(log.entries().map(({ data }) => data)).toEqual([null, null]);
  });
});

describe('a log that is read', () => {
  const header = `{"v":1,"sdk":"v1","project":"p","clock":1,"complete":true,"dropped":0}`;

  it.each([
    ['', 'Line 1 of the log: (root): expected JSON'],
    ['{"v":2}', 'Line 1 of the log: v: expected 1'],
    [`${header}\n{"t":1,"lane":"nowhere","type":"a","data":1}`, 'Line 2 of the log: lane: expected a lane'],
    [`${header}\n\nnothing`, 'Line 3 of the log: (root): expected JSON'],
  ])('names what is wrong in %j', (text, message) => {
    expect(() => parseLog(text, json)).toThrow(message);
  });
});
