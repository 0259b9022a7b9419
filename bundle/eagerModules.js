import { parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import webpack from 'webpack';

/** Shorter functions cost little to parse twice. */
const minLength = 2000;

/** Asks Chromium to compile all functions of a script while it loads. Other browsers ignore it. */
const hint = '//# allFunctionsCalledOnLoad\n';

/**
 * Lets browsers compile scripts while they load, beside the page's thread.
 *
 * Each module function is put in parentheses, which browsers take as a sign that it is called at once. Without them a
 * browser first skips the function, and then parses all of it a second time on the page's thread. The scripts of the
 * `hinted` entries or chunks are marked so that every function in them is compiled, because most of them run at the
 * start. The plugin costs the page script 25 bytes gzip (docs/decisions/033-one-scope.md).
 */
export const eagerModules = (hinted = []) => ({
  apply: (compiler) =>
    compiler.hooks.compilation.tap('eagerModules', (compilation) =>
      compilation.hooks.processAssets.tap(
        // This stage comes after the minifier, which would remove the parentheses.
        { name: 'eagerModules', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1 },
        (assets) => {
          const marked = [...compilation.chunks].filter(({ name }) => hinted.includes(name));
          for (const file of Object.keys(assets).filter((name) => name.endsWith('.js'))) {
            const isHinted = marked.some(({ files }) => files.has(file));
            compilation.updateAsset(file, (source) => eager(source, isHinted));
          }
        },
      ),
    ),
});

const eager = (source, isHinted) => {
  const replaced = new webpack.sources.ReplaceSource(source);
  if (isHinted) replaced.insert(0, hint);
  for (const { start, end } of moduleFunctions(source.source().toString())) {
    replaced.insert(start, '(');
    replaced.insert(end, ')');
  }
  return replaced;
};

/** The functions of webpack's module table: elements of a list, or properties of an object. */
const moduleFunctions = (text) => {
  const found = [];
  fullAncestor(parse(text, { ecmaVersion: 'latest' }), (node, _, ancestors) => {
    const holder = ancestors.at(-2)?.type;
    if (
      node.type === 'ArrowFunctionExpression' &&
      (holder === 'ArrayExpression' || holder === 'Property') &&
      node.end - node.start > minLength
    )
      found.push(node);
  });
  return found;
};
