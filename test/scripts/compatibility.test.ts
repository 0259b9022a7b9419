import { readFileSync } from 'node:fs';
import browserslist from 'browserslist';

import { needsOf } from '../../scripts/compatibility/report';
import { browsers, requirementOf } from '../../scripts/compatibility/requirements';
import { type Use, usedFeatures } from '../../scripts/compatibility/usedFeatures';

const usesOf = (script: string): readonly Use[] => usedFeatures(script, 'script');
/** Chrome, Edge, Firefox, Safari, Safari on iOS, Samsung Internet. */
const oldest = [93, 93, 92, 15.4, 15.4, 17];
const unknownOf = (script: string, known: readonly string[] = []) =>
  needsOf(usesOf(script), oldest, new Set(known)).unknown.map(({ name }) => name);

describe('syntax that a script has', () => {
  it.each([
    ['a?.b', 'operators.optional_chaining'],
    ['a ?? b', 'operators.nullish_coalescing'],
    ['a ??= b', 'operators.nullish_coalescing_assignment'],
    ['a ||= b', 'operators.logical_or_assignment'],
    ['class A { b = 1 }', 'classes.public_class_fields'],
    ['class A { #b = 1 }', 'classes.private_class_fields'],
    ['class A { #b() {} }', 'classes.private_class_methods'],
    ['class A { #b; c(d) { return #b in d } }', 'classes.private_class_fields_in'],
    ['class A { static { b() } }', 'classes.static.initialization_blocks'],
    ['try { a() } catch { b() }', 'statements.try_catch.optional_catch_binding'],
    ['async () => { for await (const a of b) c(a) }', 'statements.for_await_of'],
    ['import("a")', 'operators.import'],
    ['1_000', 'grammar.numeric_separators'],
    ['1n', 'builtins.BigInt'],
    ['/(?<=a)b/', 'regular_expressions.lookbehind_assertion'],
    ['/(?<a>b)/', 'regular_expressions.named_capturing_group'],
    ['/a/d', 'builtins.RegExp.hasIndices'],
    ['/a/v', 'builtins.RegExp.unicodeSets'],
  ])('%s', (script, path) => {
    expect(usesOf(script)).toContainEqual({ kind: 'syntax', path });
    expect(requirementOf({ kind: 'syntax', path })).toHaveLength(browsers.length);
  });

  it('is unknown where the data of MDN has no such path', () => {
    expect(() => requirementOf({ kind: 'syntax', path: 'operators.none' })).toThrow("MDN's data has no operators.none");
  });

  it('awaits at the top level only outside of functions', () => {
    const awaits = (script: string) =>
      usedFeatures(script, 'module').some((use) => use.kind === 'syntax' && use.path.includes('top_level'));
    expect([awaits('await a'), awaits('async () => await a')]).toStrictEqual([true, false]);
  });
});

describe('features newer than the oldest browsers', () => {
  it.each([
    ['a lookbehind', '/(?<!a)b/', ['regular_expressions.lookbehind_assertion']],
    ['a static block', 'class A { static { b() } }', ['classes.static.initialization_blocks']],
    ['a function of a known object', 'Object.groupBy(a, b)', ['Object.groupBy']],
    ['a function of an object that the script holds', 'a.window.navigator.locks', ['Navigator.locks']],
    ['a global', 'structuredClone(a)', ['structuredClone']],
    ['a global of a window that the script holds', 'a.structuredClone(b)', ['structuredClone']],
    ['a method that no older interface has', 'a.toSorted()', ['toSorted']],
    ['a method in brackets', 'a["toSorted"]()', ['toSorted']],
  ])('%s', (_, script, names) => {
    expect([...new Set(unknownOf(script))]).toStrictEqual(names);
  });

  it.each([
    ['what all of them have', 'Object.hasOwn(a, b); a.at(-1); a?.b ?? c'],
    ['a method that an older interface has too', 'a.has(b)'],
    ['a field of that name', 'a.toSorted'],
    ['a name of the script’s own', 'a.ownMethod()'],
  ])('are not %s', (_, script) => {
    expect(unknownOf(script)).toStrictEqual([]);
  });

  it('are allowed where they are known, and raise no version', () => {
    const { unknown, known, versions } = needsOf(usesOf('a.toSorted?.()'), oldest, new Set(['toSorted']));
    expect([unknown, known, versions[3]]).toStrictEqual([[], ['toSorted'], 13.1]);
  });
});

it('README names the oldest browsers that package.json has', () => {
  const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');
  const [chrome, edge, firefox, safari, , samsung] = browsers.map(({ list }) =>
    Math.min(
      ...browserslist().flatMap((each) =>
        each.startsWith(`${list} `) ? [Number.parseFloat(each.split(' ')[1]!)] : [],
      ),
    ),
  );
  expect(edge).toBe(chrome);
  expect(readme).toContain(
    `The oldest browsers are Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari} and Samsung Internet ${samsung}.`,
  );
});
