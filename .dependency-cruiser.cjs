// Each folder of src, and the folders it may import. Anything else is an error.
const layers = {
  model: [],
  engine: ['model'],
  operators: ['model', 'engine'],
  platform: ['model'],
  endpoints: ['model', 'operators'],
  streams: ['model', 'operators', 'endpoints'],
  sinks: ['model', 'operators', 'endpoints'],
  host: ['model', 'engine', 'operators'],
  overlay: ['model', 'operators'],
  addons: ['model', 'operators'],
};
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'type-import'] } } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' }, to: {} },
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `${layer}-imports`,
      severity: 'error',
      comment: `src/${layer} may import ${allowed.join(', ') || 'no other folder'}.`,
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: [`^src/(${[layer, ...allowed].join('|')})/`, '^src/platform/platform\\.ts$'], dependencyTypesNot: ['dynamic-import'] },
    })),
    { name: 'addons-are-islands', severity: 'error', from: { path: '^src/addons/([^/]+)' }, to: { path: '^src/addons/', pathNot: ['^src/addons/$1', '^src/addons/addon\\.ts$'] } },
    { name: 'engine-is-plain', severity: 'error', from: { path: '^src/(engine|model)/' }, to: { path: 'node_modules/(rxjs|react|idb)' } },
    { name: 'react-stays-in-overlay', severity: 'error', from: { path: '^src/', pathNot: '^src/(overlay|inspector)/' }, to: { path: 'node_modules/(react|react-dom|observable-hooks)/' } },
    { name: 'world-through-platform', severity: 'error', from: { path: '^src/', pathNot: '^src/platform/' }, to: { path: 'node_modules/(idb/|rxjs/dist/cjs/(ajax|fetch|webSocket))' } },
    { name: 'not-to-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|marbles|demo|bench)/' } },
  ],
  options: { tsConfig: { fileName: 'tsconfig.json' }, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
};
