/** Natives that old libraries of pages replace, and what to take in place of each. */
const replaced = [
  { name: /^reduce(Right)?$/, instead: '`fold` or `sumOf` of src/primitives/lists.ts' },
  { name: /^entries$/, isWithoutArguments: true, instead: 'a loop with a number beside it, or the map itself' },
  { owner: /Array$/, name: /^from$/, instead: '`mapItems` or `times` of src/primitives/lists.ts' },
  { owner: /^Date$/, name: /^parse$/, instead: '`timeOf` of src/primitives/isoDate.ts' },
  { name: /^toISOString$/, instead: '`isoText` of src/primitives/isoDate.ts' },
];

/** Refuses calls of natives that old libraries of pages replace by functions of another meaning. */
export const replacedNatives = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { replaced: 'Libraries of pages replace {{name}}: take {{instead}}.' },
  },
  create: (context) => ({
    'CallExpression[callee.type="MemberExpression"]': ({ callee, arguments: given }) => {
      const { name } = callee.property;
      const found = replaced.find(
        (native) =>
          native.name.test(name) &&
          (native.owner === undefined || native.owner.test(callee.object.name)) &&
          !(native.isWithoutArguments && given.length > 0),
      );
      if (found) context.report({ node: callee, messageId: 'replaced', data: { name, instead: found.instead } });
    },
  }),
};
