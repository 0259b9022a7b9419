/**
 * What the package exports: by its path there, the name of its files in `dist` and its source. To add an entry, add a
 * line here and its two files to `exports` of package.json; a test compares the two. `hasGlobals`: its types declare
 * globals. Only one entry may, for a global has one declaration.
 */
export const packageEntries = {
  '.': { name: 'page', source: './src/page/page.ts', hasGlobals: true },
  './addon-kit': { name: 'addon-kit', source: './src/addonKit/addonKit.ts' },
  './engine': { name: 'engine', source: './src/engine/engineEntry.ts' },
  './react': { name: 'react', source: './src/hooks/react.ts' },
  './project': { name: 'project', source: './project/define/define.ts' },
  './testing': { name: 'testing', source: './src/testing/testing.ts' },
  './marbles': { name: 'marbles', source: './marbles/support/marbles.ts' },
};
