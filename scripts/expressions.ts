// Asks `recheck` about each regular expression of the sources that `test/support/linearExpressions.json` does not have:
// `npm run expressions`. The list then has each expression whose time is in proportion to its text. The run names each
// other one, with a text that it reads slowly. `test/expressions.test.ts` reads the list, because the analysis of all
// expressions takes minutes.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSync, type Diagnostics } from 'recheck';

import { collectedExpressions, partsOf } from './expressions/collected';
import { type Attack, attackText, hostileTexts } from './expressions/hostileTexts';
import { isLinear, wholeText } from './expressions/linear';

const root = fileURLToPath(new URL('..', import.meta.url));
const listFile = resolve(root, 'test/support/linearExpressions.json');
// The other backends start programs of their own.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** By each expression, an attack that the analysis has found and a run has refuted; null where it has found none. */
type Known = Readonly<Record<string, Attack | null>>;

const known = JSON.parse(readFileSync(listFile, 'utf8')) as Known;
const { expressions } = collectedExpressions(root);

const diagnosed = (source: string, flags: string): Diagnostics => {
  const found = checkSync(source, flags, { timeout: 10_000 });
  // Some expressions are too large for the theory of automata, and are tried with many texts instead.
  return found.status === 'unknown' ? checkSync(source, flags, { checker: 'fuzz', timeout: 60_000 }) : found;
};

const attackOf = ({ pumps, suffix }: Attack): Attack => ({
  pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })),
  suffix,
});

/** An attack that the analysis is wrong about, null where it knows none, or why the expression is not linear. */
const verdict = (expression: string): { readonly attack: Attack | null } | { readonly slow: string } => {
  const found = diagnosed(...partsOf(expression));
  if (found.status === 'unknown') return { slow: found.error.kind };
  const attack = found.status === 'safe' ? null : attackOf(found.attack);
  // The analysis takes `{1,63}` for `+`, so a run decides.
  const slow = [...(attack === null ? [] : [attack]), ...hostileTexts(expression)].find(
    (text) => !isLinear(expression, text, wholeText),
  );
  return slow === undefined ? { attack } : { slow: `${found.complexity.summary}, as by ${attackText(slow, 40)}` };
};

const list: Record<string, Attack | null> = {};
for (const [expression, places] of [...expressions].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const before = known[expression];
  const found = before === undefined ? verdict(expression) : { attack: before };
  if ('attack' in found) list[expression] = found.attack;
  else {
    console.error(`${places.join(', ')}: ${expression}\n  ${found.slow}`);
    process.exitCode = 1;
  }
}
writeFileSync(listFile, `${JSON.stringify(list, null, 2)}\n`);
