import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { collectedExpressions } from '../scripts/expressions/collected';
import { type Attack, attackText, hostileTexts } from '../scripts/expressions/hostileTexts';
import { isLinear, shortText, wholeText } from '../scripts/expressions/linear';

const root = resolve(__dirname, '..');
const { expressions, made } = collectedExpressions(root);
const known = JSON.parse(readFileSync(resolve(__dirname, 'support/linearExpressions.json'), 'utf8')) as Readonly<
  Record<string, Attack | null>
>;

/** Expressions that are made at run time, each with why it takes no longer than a text is long. */
const madeExpressions: Readonly<Record<string, string>> = {
  'src/api/listeners.ts': 'It is the page’s own, and is tried on names of events.',
  'studio/server/projectFile.ts': 'It begins with a key as it is written, and repeats only spaces.',
  'src/engine/language/readerOf.ts': 'It repeats nothing.',
};

describe('regular expressions', () => {
  it('are known to take a time in proportion to the text; `npm run expressions` analyses new ones', () => {
    expect(Object.keys(known)).toEqual([...expressions.keys()].sort());
  });

  it('are made at run time in few places', () => {
    expect(made.map(([file]) => file).sort()).toEqual(Object.keys(madeExpressions).sort());
  });

  // 1 MB of each takes half a minute. `npm run expressions` has tried it before it wrote the list.
  const longest = process.env['LAWS'] === undefined ? shortText : wholeText;
  it('read hostile texts in a time in proportion to their length', () => {
    const slow = Object.entries(known).flatMap(([expression, attack]) =>
      [...(attack === null ? [] : [attack]), ...hostileTexts(expression)]
        .filter((text) => !isLinear(expression, text, longest))
        .map((text) => [expression, expressions.get(expression)?.join(), attackText(text, 40)]),
    );
    expect(slow).toEqual([]);
  });

  // The texts of the test above would otherwise prove nothing.
  it.each([String.raw`/\d+$/`, String.raw`/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi`])(
    'are seen where they do not: %s',
    (expression) => {
      expect(hostileTexts(expression).every((text) => isLinear(expression, text, shortText))).toBe(false);
    },
  );
});
