import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import rxjsX from 'eslint-plugin-rxjs-x';
import importSort from 'eslint-plugin-simple-import-sort';
import globals from 'globals';
import tseslint from 'typescript-eslint';

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

/** Prettier wraps code at this width; texts, templates and patterns cannot be wrapped. Comments count. */
const maxLen = [
  'error',
  { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true },
];

export default defineConfig(
  globalIgnores(['dist', 'build', 'coverage', 'reports', 'node_modules']),
  {
    plugins: { imports: importSort },
    rules: {
      // One list, sorted by path: packages first, then our own.
      'imports/imports': ['error', { groups: [['^node:', '^@?\\w', '^'], ['^\\.']] }],
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
  {
    files: ['{src,test,marbles,demo,bench,project,bundle,studio,command,scripts}/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { local: { rules: { 'stream-names': streamNames, 'unclobbered-reads': unclobberedReads } } },
    rules: {
      'rxjs-x/finnish': 'off',
      'local/stream-names': 'error',
      'rxjs-x/no-subject-value': 'error',
      'rxjs-x/no-ignored-subscription': 'error',
      'rxjs-x/no-unsafe-catch': ['error', pipeline],
      'rxjs-x/no-unsafe-first': ['error', pipeline],
      'rxjs-x/no-sharereplay': ['error', { allowConfig: false }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: [
      'src/platform/**',
      'src/companion/**',
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
  { files: ['src/hooks/windowDoor.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['src/runtime.ts', 'src/boot.ts', 'src/inspector/inspector.ts', 'src/inspector/replay/replayLog.ts'],
    rules: { 'no-restricted-syntax': ['error', noNewDate] },
  },
  {
    files: ['{test,marbles,demo,bench,project,bundle,studio,command,scripts}/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      'rxjs-x/no-ignored-subscription': 'off',
      'rxjs-x/no-ignored-error': 'off',
    },
  },
);
