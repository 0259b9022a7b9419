// `marbles` runs in plain node, so an operator that touches the DOM fails at once;
// `unit` chooses per file with a docblock (`@jest-environment jsdom`), node being the default.
const transform = {
  '^.+\\.[mc]?[jt]sx?$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        target: 'es2022',
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'commonjs' },
    },
  ],
};
const highlighter = [
  ...[
    'shiki',
    '@shikijs',
    'oniguruma-[\\w-]+',
    'regex',
    'regex-[\\w-]+',
    'hast-[\\w-]+',
    'html-void-elements',
    'zwitch',
  ],
  ...['ccount', 'comma-separated-tokens', 'space-separated-tokens', 'property-information', 'stringify-entities'],
  'character-entities-[\\w-]+',
];
const esModules = ['uuid', 'ivya', 'hono', '@hono', 'fast-check', 'pure-rand', ...highlighter];
const shared = {
  testEnvironment: 'node',
  transform,
  // Packages published as ES modules only.
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  setupFilesAfterEnv: ['<rootDir>/test/support/deadline.ts'],
};

/** Tests without a browser: many small files, each of which loads its modules anew. */
const quick = {
  ...shared,
  globalSetup: '<rootDir>/test/support/lawSeed.ts',
  transform: { '/test/support/rxjs/all\\.js$': '<rootDir>/test/support/rxjs/bundled.cjs', ...transform },
  moduleNameMapper: { '^rxjs(/.*)?$': '<rootDir>/test/support/rxjs/all.js' },
};

const inBrowser = (displayName, testedBrowser) => ({
  ...shared,
  displayName,
  globals: { testedBrowser },
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  globalSetup: '<rootDir>/test/browser/support/setup.ts',
});

export default {
  projects: [
    { ...quick, displayName: 'marbles', testMatch: ['<rootDir>/marbles/**/*.marbles.ts'] },
    {
      ...quick,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts?(x)'],
      testPathIgnorePatterns: ['<rootDir>/test/browser/', '<rootDir>/test/broker/', '<rootDir>/test/package/'],
    },
    // The collector with a real NATS server.
    {
      ...shared,
      displayName: 'broker',
      testMatch: ['<rootDir>/test/broker/**/*.test.ts'],
      globalSetup: '<rootDir>/test/broker/support/setup.ts',
    },
    // The package as its users install it: needs `npm run build` first.
    {
      ...shared,
      displayName: 'package',
      testMatch: ['<rootDir>/test/package/**/*.test.ts'],
      globalSetup: '<rootDir>/test/package/support/setup.ts',
      globalTeardown: '<rootDir>/test/package/support/teardown.ts',
    },
    // The hooks again, on the oldest React that they support.
    {
      ...quick,
      displayName: 'react18',
      testMatch: ['<rootDir>/test/hooks/**/*.test.tsx'],
      setupFiles: ['<rootDir>/test/hooks/support/react18.ts'],
      moduleNameMapper: {
        ...quick.moduleNameMapper,
        '^react(-dom)?$': 'react$1-18',
        '^react(-dom)?/(.*)$': 'react$1-18/$2',
      },
    },
    // The built bundle in real browsers: needs `npm run build` first.
    inBrowser('browser', 'chromium'),
    inBrowser('browser-firefox', 'firefox'),
    inBrowser('browser-webkit', 'webkit'),
  ],
};
