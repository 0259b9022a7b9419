import ts from 'typescript';

import { textsOf } from './syntax';

/** Functions of the SDK whose first argument is a message for the publisher or for the provider. */
const tellers: readonly string[] = ['report', 'reportFirst', 'isolate', 'warn'];

/** A message in the source, with `…` in place of what is filled in while the SDK runs. */
export interface ReportedMessage {
  readonly message: string;
  readonly file: string;
}

/** The messages that a source file reports, in its order. */
export const reportedMessages = (file: string, text: string): readonly ReportedMessage[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: ReportedMessage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && tellers.includes(nameOf(node.expression)))
      for (const message of messagesOf(node.arguments[0])) found.push({ message, file });
    if (ts.isObjectLiteralExpression(node) && textOfField(node, 'type') === 'report')
      for (const message of messagesOf(fieldIn(node, 'message'))) found.push({ message, file });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The value of a field of a command such as `{ type: 'report', message: 'Error sending events batch' }`. */
const fieldIn = (command: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  command.properties
    .filter(ts.isPropertyAssignment)
    .find((field) => ts.isIdentifier(field.name) && field.name.text === name)?.initializer;

const textOfField = (command: ts.ObjectLiteralExpression, name: string): string | undefined => {
  const value = fieldIn(command, name);
  return value !== undefined && ts.isStringLiteral(value) ? value.text : undefined;
};

const nameOf = (called: ts.Expression): string => {
  if (ts.isIdentifier(called)) return called.text;
  return ts.isPropertyAccessExpression(called) ? called.name.text : '';
};

const messagesOf = (argument: ts.Expression | undefined): readonly string[] => {
  if (argument === undefined) return [];
  if (!ts.isTemplateExpression(argument)) return textsOf(argument, new Map()) ?? [];
  return [argument.head.text + argument.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
};
