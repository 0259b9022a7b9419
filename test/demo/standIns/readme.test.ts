import { existsSync, readFileSync } from 'node:fs';

const readme = readFileSync('demo/page/standIns/README.md', 'utf8');

/** The names of a file's tests, as Jest prints them. */
const testsOf = (file: string): readonly string[] => {
  let group = '';
  return [...readFileSync(file, 'utf8').matchAll(/(describe|\bit|\))\(\s*'([^']+)',\s*(?:async )?\(/g)].flatMap(
    ([, call, title = '']) => {
      if (call === 'describe') group = title;
      return call === 'describe' ? [] : `${group} ${title}`;
    },
  );
};

/** The last cells of the tables under a heading: which test holds each behaviour. */
const held = (heading: string): readonly string[] => {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line));
  return rows.slice(1).flatMap((row) =>
    row
      .split('|')
      .at(-2)!
      .split(';')
      .map((cell) => cell.replace('…', '').trim()),
  );
};

describe.each([
  ['Google Publisher Tag', 'test/demo/standIns/googletag.test.ts'],
  ['AppNexus seller tag', 'test/demo/standIns/apntag.test.ts'],
])('the table of the %s', (heading, file) => {
  const names = testsOf(file);

  it.each(held(heading))('names a test: %s', (wanted) => {
    const path = /^`(.+)`$/.exec(wanted)?.[1];
    if (path === undefined) expect(names).toContainEqual(expect.stringContaining(wanted));
    else expect(existsSync(path)).toBe(true);
  });

  it('leaves out no test', () => {
    const rows = held(heading);
    expect(names.filter((name) => !rows.some((row) => name.includes(row)))).toEqual([]);
  });
});
