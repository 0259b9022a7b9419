import { ESLintUtils } from '@typescript-eslint/utils';

/**
 * A variable, parameter or property ends with $ if it is a stream, and only then. The rule rxjs-x/finnish is not used,
 * because it also requires the $ of arrow functions that return a stream; here these are verbs.
 */
export const streamNames = {
  meta: { type: 'problem', schema: [], messages: { add: 'A stream ends with $.', drop: 'Only a stream ends with $.' } },
  create: (context) => {
    const services = ESLintUtils.getParserServices(context);
    const fromRxjs = ({ declarations = [] }) =>
      declarations.some((declaration) => /[/\\]rxjs[/\\]/.test(declaration.getSourceFile().fileName));
    const isStream = (type) =>
      type.isUnionOrIntersection()
        ? type.types.some(isStream)
        : /^\w*(?:Observable|Subject)$/.test(type.symbol?.name ?? '') && fromRxjs(type.symbol);
    const check = (node) => {
      if (node.type !== 'Identifier') return;
      const stream = isStream(services.getTypeAtLocation(node));
      if (stream !== node.name.endsWith('$')) context.report({ node, messageId: stream ? 'add' : 'drop' });
    };
    return {
      VariableDeclarator: ({ id }) => check(id),
      ':function': ({ params }) => params.forEach(check),
      TSPropertySignature: ({ key }) => check(key),
      TSParameterProperty: ({ parameter }) => check(parameter),
    };
  },
};
