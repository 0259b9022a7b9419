import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';

import { errorMessages } from '../../command/doctor/errorMessages';
import { diagramOf } from '../../scripts/site/diagram';
import { drawingOf, frameWidth, type Lane, leftEdge, timeText } from '../../scripts/site/drawing';
import { DiagramError, marbleTests } from '../../scripts/site/marbleFiles';
import { headingsOf, htmlOf } from '../../scripts/site/markdown';
import { reportedMessages } from '../../scripts/site/reportedMessages';
import { marbleFiles, siteOf } from '../../scripts/site/site';
import { law } from '../support/laws';

const root = resolve(__dirname, '../..');

/** A value some time after the one before it. */
interface Step {
  readonly letter: string;
  /** Frames in which nothing happens before the value. */
  readonly quiet: number;
}
const steps = fc.array(
  fc.record({
    letter: fc.constantFrom('a', 'b', 'c', 'x'),
    quiet: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 31, max: 300_000 })),
  }),
  { maxLength: 8 },
);
/** The diagram of the steps, and when each value comes. */
const written = (given: readonly Step[]): { readonly text: string; readonly frames: readonly number[] } => {
  let frame = 0;
  const frames = given.map(({ quiet }) => {
    const at = frame + quiet;
    frame = at + 1;
    return at;
  });
  const text = given.map(({ letter, quiet }) => `${quiet > 30 ? ` ${quiet}ms ` : '-'.repeat(quiet)}${letter}`).join('');
  return { text, frames };
};
const laneOf = (text: string): Lane => ({ label: 'source$', role: 'given', text, diagram: diagramOf(text, 'stream') });
/** Frame, letter and place of every value in a drawing, by lane. */
const drawnValues = (svg: string): readonly (readonly { frame: number; letter: string; x: number }[])[] =>
  svg
    .split('<g class="given">')
    .slice(1)
    .map((lane) =>
      [...lane.matchAll(/data-frame="(-?\d+)" data-kind="value"><circle cx="([\d.]+)".*?<text[^>]*>(.)<\/text>/g)].map(
        ([, frame, x, letter = '']) => ({ frame: Number(frame), x: Number(x), letter }),
      ),
    );

describe('the drawing of marbles', () => {
  it(
    'draws each value of a diagram at its frame',
    law(steps, (given) => {
      const { text, frames } = written(given);
      const [values = []] = drawnValues(drawingOf([laneOf(text)], ''));
      expect(values.map(({ frame }) => frame)).toEqual(frames);
      expect(values.map(({ letter }) => letter)).toEqual(given.map(({ letter }) => letter));
    }),
  );

  it(
    'has the same frame at the same place in all lanes, and later ones further right',
    law(fc.tuple(steps, steps), ([one, other]) => {
      const lanes = [one, other].map((given) => laneOf(written(given).text));
      const values = drawnValues(drawingOf(lanes, '')).flat();
      for (const a of values) for (const b of values) expect(Math.sign(a.x - b.x)).toBe(Math.sign(a.frame - b.frame));
    }),
  );

  it(
    'gives each frame the same width; a time longer than 24 frames has that of five, and is told',
    law(steps, (given) => {
      const [values = []] = drawnValues(drawingOf([laneOf(written(given).text)], ''));
      const all = [{ frame: 0, x: leftEdge }, ...values];
      for (const [i, { frame, x }] of values.entries()) {
        const before = all[i]!;
        const apart = frame - before.frame;
        expect(x - before.x).toBe(frameWidth * (apart > 24 ? 5 : apart));
      }
    }),
  );

  it('draws groups, ends, errors and subscriptions', () => {
    const lanes: readonly Lane[] = [
      laneOf('-(ab|)'),
      laneOf('--#'),
      { label: 's', role: 'expected', text: '-^-!', diagram: diagramOf('-^-!', 'subscription') },
    ];
    const marks = [...drawingOf(lanes, 't').matchAll(/data-frame="(\d+)" data-kind="(\w+)"/g)].map(
      ([, frame, kind]) => `${kind} ${frame}`,
    );
    expect(marks).toEqual(['complete 1', 'value 1', 'value 1', 'error 2', 'subscribe 1', 'unsubscribe 3']);
  });

  it('says times as people do', () => {
    expect([0, 999, 4499, 300_000, -3].map(timeText)).toEqual(['0 ms', '999 ms', '4.499 s', '5 min', '-3 ms']);
  });
});

describe('marbleTests', () => {
  const source = (body: string, before = ''): string => `${before}
    describe('poll', () => { ${body} });`;

  it('finds rules with all their diagrams, by constants and conditions too, and what the letters say', () => {
    const [test, ...rest] = marbleTests(
      'a.marbles.ts',
      source(
        `marble('waits', ({ hot, cold, expectObservable, expectSubscriptions }) => {
           const source$ = hot('  -a-b|', values);
           const expected = '     --a|';
           const unsub = '^--!';
           expectObservable(source$.pipe(poll(isFast ? cold('a') : cold(\`\${wait} b\`)))).toBe(expected, { a: 1 });
           expectSubscriptions(source$.subscriptions).toBe([unsub, '-^-!']);
           expect(count).toBe('not a diagram (');
         });`,
        `const wait = '5s'; const values = { a: 'first', b: { deep: true }, z: 0 };`,
      ),
    );
    expect(rest).toEqual([]);
    expect(test).toMatchObject({ group: 'poll', rule: 'waits', made: 0 });
    expect(test?.lanes.map(({ label, role, text }) => [label, role, text.trim()])).toEqual([
      ['source$ (hot)', 'given', '-a-b|'],
      ["source$.pipe(poll(isFast ? cold('a') : cold(`${wait} b`)))", 'expected', '--a|'],
      ['cold', 'given', 'a'],
      ['cold', 'given', '5s b'],
      ['source$.subscriptions', 'expected', '^--!'],
      ['source$.subscriptions', 'expected', '-^-!'],
    ]);
    expect(test?.letters).toEqual([
      ['a', '1'],
      ['b', '{ deep: true }'],
    ]);
  });

  it('makes a test of each row of a table', () => {
    const tests = marbleTests(
      'a.marbles.ts',
      source(
        `it.each([['one', '-a|'], ['two', '--b|']] as const)('is %s', marbles(({ hot }, name, diagram) => { hot(diagram); }));`,
      ),
    );
    expect(tests.map(({ rule, lanes }) => [rule, lanes[0]?.text])).toEqual([
      ['is one', '-a|'],
      ['is two', '--b|'],
    ]);
  });

  it('follows the functions of the file that a test calls', () => {
    const [test, ...rest] = marbleTests(
      'a.marbles.ts',
      source(
        `marble('calls', (helpers) => {
           const last = '--b';
           const { expectOut } = run(helpers, '-a', { last });
           expectOut({ last, sent: '-c' });
           madeBy(helpers)('---d');
         });`,
        `const run = (helpers, first, { last, wait = '1s' }) => {
           helpers.cold(first); helpers.hot(wait);
           helpers.expectObservable(x$).toBe(last);
           return { expectOut: () => undefined };
         };
         const madeBy = (helpers) => (diagram) => helpers.hot(diagram);`,
      ),
    );
    expect(rest).toEqual([]);
    expect(test?.lanes.map(({ text }) => text)).toEqual(['-a', '1s', '--b', '--b', '-c', '---d']);
  });

  it('counts diagrams that are made while the test runs, and shows those that tests share', () => {
    const tests = marbleTests(
      'a.marbles.ts',
      source(`marble('law', ({ cold }) => { cold(made()); });`, `const stream = ({ cold }) => cold('--a');`),
    );
    expect(tests.map(({ rule, lanes, made }) => [rule, lanes.length, made])).toEqual([
      ['law', 0, 1],
      ['Diagrams that these tests share', 1, 0],
    ]);
  });

  it('names file and line of a diagram that cannot be read', () => {
    for (const diagram of ['-(a(b))', '-(a', '^-^', 'a|b', '-a-!']) {
      const wrong = source(`\nmarble('x', ({ hot }) => {\n hot('-a'); hot('${diagram}'); });`);
      expect(() => marbleTests('a.marbles.ts', wrong)).toThrow(DiagramError);
      expect(() => marbleTests('a.marbles.ts', wrong)).toThrow(/^a\.marbles\.ts:4: «/);
    }
  });
});

it('explains every message that the SDK reports, and no other', () => {
  const files = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/^(?:addonKit|testing)/.test(file),
  );
  const reported = files.flatMap((file) => reportedMessages(file, readFileSync(resolve(root, 'src', file), 'utf8')));
  expect(reported.filter(({ message }) => !Object.hasOwn(errorMessages, message))).toEqual([]);
  const messages = new Set(reported.map(({ message }) => message));
  expect(Object.keys(errorMessages).filter((message) => !messages.has(message))).toEqual([]);
});

describe('htmlOf', () => {
  const html = (text: string): string => htmlOf(text, 's', (address) => `to:${address}`);
  it.each([
    ['# A `b`: c', '<h2 id="s-a-b-c">A <code>b</code>: c</h2>'],
    ['a <b>\nc & `<d>`', '<p>a &lt;b&gt;\nc &amp; <code>&lt;d&gt;</code></p>'],
    ['[a `b`](c#d)', '<p><a href="to:c#d">a <code>b</code></a></p>'],
    ['- a\n  b\n- *c*', '<ul>\n<li>a\nb</li>\n<li><em>c</em></li>\n</ul>'],
    ['1. a\n2. **b**', '<ol>\n<li>a</li>\n<li><strong>b</strong></li>\n</ol>'],
    ['```\n# a < b\n```', '<pre tabindex="0"><code># a &lt; b\n</code></pre>'],
    [
      '| | b |\n| --- | --- |',
      '<div class="wide" tabindex="0"><table>\n<thead>\n<tr>\n<td></td>\n<th>b</th>\n</tr>\n</thead>\n</table></div>',
    ],
    ['<!-- mark -->\na\n<!-- /mark -->', '<p>a</p>'],
  ])('makes of %j what a browser shows', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it('colours code for light and dark pages, and leaves the code as it is', () => {
    const code = html('```ts\nconst isSmall = a < 7; // ü\n```');
    expect(code).toMatch(/^<pre class="shiki [^"]*".*color:light-dark\(#\w+, ?#\w+\)/);
    expect(
      code
        .replace(/<[^>]*>/g, '')
        .replaceAll('&#x3C;', '<')
        .trim(),
    ).toBe('const isSmall = a < 7; // ü');
  });

  it('makes tables, with bars in cells', () => {
    expect(html('| a | b |\n| --- | --- |\n| `c \\| d` | e |')).toContain(
      '<tr>\n<td><code>c | d</code></td>\n<td>e</td>\n</tr>',
    );
  });

  it('takes no line of code for a heading', () => {
    const headings = headingsOf('# A\n```\n# b\n```\n## `C`\nd', 's');
    expect(headings.map(({ title, body }) => [title, body])).toEqual([
      ['A', '```\n# b\n```'],
      ['C', 'd'],
    ]);
  });
});

describe('the page', () => {
  const page = siteOf(root, { settings: '| a |\n| --- |', storage: '| a |\n| --- |' });
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));

  it('leads each link and each entry of the search to something', () => {
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    const [, json = ''] = /id="entries">(.*?)<\/script>/s.exec(page) ?? [];
    const entries = (JSON.parse(json) as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(entries.length).toBeGreaterThan(900);
    expect([...new Set([...links, ...entries])].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('needs no other file', () => {
    expect(page).not.toMatch(/<(link|img|iframe|script src)\b|url\(|@import/);
  });

  it('has a chapter of each page in docs', () => {
    const files = readdirSync(resolve(root, 'docs')).filter((file) => file.endsWith('.md'));
    const chapters = files.map((file) => `guide-docs-${file.slice(0, -'.md'.length)}-md`);
    expect(chapters.length).toBeGreaterThan(5);
    expect(chapters.filter((id) => !page.includes(`<section id="${id}">`))).toEqual([]);
  });

  it('has the diagrams of all marble files', () => {
    const files = marbleFiles(root);
    expect(files.filter(({ tests }) => tests.every(({ lanes }) => lanes.length === 0))).toEqual([]);
    const drawings = files.flatMap(({ tests }) => tests.filter(({ lanes }) => lanes.length > 0));
    expect(page.match(/<svg class="marbles"/g)).toHaveLength(drawings.length);
  });

  it('has the constants that a rule proves beside it', () => {
    expect(page).toMatch(
      /<article[^>]*><small>[^<]*<\/small><h4>[^<]*<\/h4><ul class="constants"><li><code>\w+Ms<\/code>/,
    );
  });
});
