import { dirname, relative } from 'node:path';
import { ESLintUtils } from '@typescript-eslint/utils';
import ts from 'typescript';

import { domReadsIn } from './domReadsIn.js';

/**
 * A member of a document or an element is read through `unclobbered`, or the option has a reason why nothing hides it:
 * by the file and the type that is read, the members and the reason. A reason that nothing needs any more is reported.
 */
export const unclobberedReads = {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }],
    defaultOptions: [{}],
    messages: {
      hidden:
        'Read `{{member}}` of this {{owner}} through `unclobbered`, because an element of the page hides the member ' +
        'where it has that name or id. Where nothing can hide it, say why in scripts/lint/unhidden.js.',
      unused: 'Take `{{member}}` of {{owner}} from scripts/lint/unhidden.js, because this file no longer reads it.',
    },
  },
  create: (context) => {
    const [unhidden] = context.options;
    const { program, esTreeNodeToTSNodeMap, tsNodeToESTreeNodeMap } = ESLintUtils.getParserServices(context);
    const [, root, path] = /^(.*?)\/src\/(.*)$/s.exec(context.filename) ?? [null, '', context.filename];
    const listed = new Map(
      Object.entries(unhidden).flatMap(([place, [members]]) => {
        const [file, owner] = place.split(' ');
        return file === path ? members.split(' ').map((member) => [`${owner}.${member}`, { owner, member }]) : [];
      }),
    );
    return {
      Program: (program_) => {
        const bare = domReadsIn(esTreeNodeToTSNodeMap.get(program_), program.getTypeChecker()).filter(
          ({ isUnclobbered }) => !isUnclobbered,
        );
        for (const { node: read, owner, member } of bare) {
          if (listed.has(`${owner}.${member}`)) continue;
          const node = tsNodeToESTreeNodeMap.get(read) ?? program_;
          const value = ts.isObjectBindingPattern(read) ? node.parent?.init : node;
          context.report({
            node,
            messageId: 'hidden',
            data: { owner, member },
            fix: value && ((fixer) => wrapped(fixer, value, context, `${root}/src/hardening/unclobbered`)),
          });
        }
        const read = new Set(bare.map(({ owner, member }) => `${owner}.${member}`));
        for (const [name, data] of listed)
          if (!read.has(name)) context.report({ node: program_, messageId: 'unused', data });
      },
    };
  },
};

/** Passes the value through `unclobbered`, and imports that where the file does not. The rule of imports sorts them. */
const wrapped = (fixer, value, { sourceCode, filename }, module) => {
  const isImported = sourceCode.scopeManager.globalScope.childScopes[0]?.set.has('unclobbered') === true;
  const path = relative(dirname(filename), module);
  const from = path.startsWith('.') ? path : `./${path}`;
  return [
    ...(isImported ? [] : [fixer.insertTextBeforeRange([0, 0], `import { unclobbered } from '${from}';\n`)]),
    fixer.insertTextBefore(value, 'unclobbered('),
    fixer.insertTextAfter(value, ')'),
  ];
};
