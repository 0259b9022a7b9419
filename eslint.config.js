// ESLint has the rules of streams, of this project and of texts. Oxlint checks types and has the rules of TypeScript
// (.oxlintrc.json), in a quarter of the time.
import { readdirSync, readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import rxjsX from 'eslint-plugin-rxjs-x';
import importSort from 'eslint-plugin-simple-import-sort';
import globals from 'globals';
import tseslint from 'typescript-eslint';

import { replacedNatives } from './scripts/lint/replacedNatives.js';
import { unclobberedReads } from './scripts/lint/unclobberedReads.js';
import { unhidden } from './scripts/lint/unhidden.js';
import { streamNames } from './scripts/streamNames.js';

// The world is reached through src/platform only; everything else gets what it needs as parameters.
const world = [
  'window',
  'self',
  'globalThis',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'crypto',
  'fetch',
  'XMLHttpRequest',
  'Worker',
  'Blob',
  'setTimeout',
  'setInterval',
  'queueMicrotask',
  'performance',
  'console',
  'postMessage',
  'MessageChannel',
];
const pipeline = { observable: '^(event|transition|cohorts)\\$$' };
const noSubscribe = {
  selector: 'CallExpression[callee.property.name="subscribe"]',
  message: 'Only src/boot.ts, src/inspector/inspector.ts and src/engineHost/serve.ts subscribe: return the stream.',
};
const noSubject = {
  selector: 'NewExpression[callee.name=/Subject$/]',
  message: 'Only sources turn callbacks into streams: take one as a parameter.',
};
const noNewDate = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'Take the time from platform.now.',
};

const sleep = 'Wait for the thing by `until`. Where a test cannot ask for anything, `pause` says why time passes.';
/** A promise that a timer resolves by itself: `new Promise((resolve) => setTimeout(resolve, …))`. */
const noSleep = {
  selector:
    'NewExpression[callee.name="Promise"] > :function CallExpression[callee.name="setTimeout"][arguments.0.type="Identifier"]',
  message: `${sleep} A function that runs in the page may call what it waits for: \`setTimeout(() => resolve(), …)\`.`,
};
const noWaitForTimeout = { selector: 'MemberExpression[property.name="waitForTimeout"]', message: sleep };
/** What a test without a browser takes in place of chance and of the clock. */
const noChance = [
  { object: 'Math', property: 'random', message: 'Draw from a seed: a law, or `drawing` of test/support/drawing.ts.' },
  { object: 'Date', property: 'now', message: 'Take `noon` of test/support/events.ts, or a virtual clock.' },
  { object: 'performance', property: 'now', message: 'Measure by `cpuMs` of test/support/cpuTime.ts.' },
];
const noWait = {
  selector: 'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"][arguments.length>1]',
  message: 'Wait for the thing: `until` or `settled` of test/support/waiting.ts, or virtual time.',
};
const noPromisedTimer = { name: 'node:timers/promises', message: noWait.message };

/** Prettier wraps code at this width; texts, templates and patterns cannot be wrapped. Comments count. */
const maxLen = [
  'error',
  { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true },
];

/**
 * The files beside src that name a stream. Rules that ask for types cost the most, and those of streams can find
 * nothing in a file without RxJS, without a name that ends with $ and without a pipe.
 */
const streamFiles = ['test', 'marbles', 'demo', 'bench', 'project', 'bundle', 'studio', 'command', 'scripts']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => /\brxjs\b|\w\$(?![{\w])|\.(subscribe|pipe)\(/.test(readFileSync(file, 'utf8')));

export default defineConfig(
  globalIgnores(['dist', 'build', 'coverage', 'reports', 'node_modules']),
  {
    plugins: { imports: importSort },
    rules: {
      // What runs for its effects, then one list, sorted by path: packages first, then our own.
      'imports/imports': ['error', { groups: [['^\\u0000'], ['^node:', '^@?\\w', '^'], ['^\\.']] }],
      'imports/exports': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [js.configs.recommended],
    languageOptions: { globals: globals.node },
  },
  { rules: { 'max-len': maxLen } },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true }],
    },
  },
  { files: ['demo/page/assets/**/*.js', 'scripts/site/*.client.js'], languageOptions: { globals: globals.browser } },
  { files: ['**/*.{ts,tsx}'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['src/**/*.{ts,tsx}', ...streamFiles],
    extends: [rxjsX.configs.strict],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: {
      local: {
        rules: {
          'stream-names': streamNames,
          'unclobbered-reads': unclobberedReads,
          'replaced-natives': replacedNatives,
        },
      },
    },
    rules: {
      'rxjs-x/finnish': 'off',
      'local/stream-names': 'error',
      'rxjs-x/no-subject-value': 'error',
      'rxjs-x/no-ignored-subscription': 'error',
      'rxjs-x/no-unsafe-catch': ['error', pipeline],
      'rxjs-x/no-unsafe-first': ['error', pipeline],
      'rxjs-x/no-sharereplay': ['error', { allowConfig: false }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: [
      'src/platform/**',
      'src/companion/**',
      'src/natives/**',
      'src/door.ts',
      'src/gate.ts',
      'src/checkNatives.ts',
      'src/mainDoor.ts',
      'src/nativesCheck.ts',
      'src/main.ts',
      'src/worker.ts',
      'src/engineHost/serve.ts',
      'src/page/load.ts',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        ...world.map((name) => ({ name, message: 'Reach the world through src/platform.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
      'no-restricted-syntax': ['error', noSubscribe, noSubject, noNewDate],
    },
  },
  {
    // Callbacks become streams here, and nowhere else.
    files: [
      'src/streams/**/*.ts',
      'src/api/*.ts',
      'src/telemetry/telemetryBus.ts',
      'src/operators/replayToLate.ts',
      'src/visit/visits.ts',
      'src/inspectorDoor.ts',
      'src/fakePlatform/*.ts',
      'src/inspector/log.ts',
      'src/inspector/replay/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', noSubscribe, noNewDate] },
  },
  {
    // React subscribes here, and one file finds the page's object.
    files: ['src/hooks/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', noSubject, noNewDate] },
  },
  {
    // The inspector is drawn into a frame of its own, in which nothing of the page is.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/inspector/ui/**'],
    rules: { 'local/unclobbered-reads': ['error', unhidden] },
  },
  {
    // What runs on pages. The probes say what each of these natives does there.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/testing/**', 'src/natives/probes/**'],
    rules: { 'local/replaced-natives': 'error' },
  },
  { files: ['src/hooks/windowDoor.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['src/runtime.ts', 'src/boot.ts', 'src/inspector/inspector.ts', 'src/inspector/replay/replayLog.ts'],
    rules: { 'no-restricted-syntax': ['error', noNewDate] },
  },
  {
    files: ['{test,marbles,demo,bench,project,bundle,studio,command,scripts}/**/*.{ts,tsx}'],
    rules: {
      'rxjs-x/no-ignored-subscription': 'off',
      'rxjs-x/no-ignored-error': 'off',
    },
  },
  {
    // A browser test waits for the thing, and not for a clock.
    files: ['test/browser/**/*.{ts,tsx}'],
    ignores: ['test/browser/support/{pause,until}.ts'],
    rules: {
      'no-restricted-syntax': ['error', noSleep, noWaitForTimeout],
      'no-restricted-imports': ['error', { name: 'node:timers/promises', message: sleep }],
    },
  },
  {
    files: ['{test,marbles}/**/*.{ts,tsx}'],
    ignores: ['test/{browser,broker,package}/**'],
    rules: {
      'no-restricted-properties': ['error', ...noChance],
      'no-restricted-syntax': ['error', noWait, { ...noNewDate, message: noChance[1].message }],
      'no-restricted-imports': ['error', noPromisedTimer],
    },
  },
);
