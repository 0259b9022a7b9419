// Each folder of src, and the folders it may import. Anything else is an error. All others may import `base` too.
const layers = {
  codecs: [],
  primitives: ['codecs'],
  hardening: ['codecs', 'primitives'],
  privacy: ['codecs', 'primitives', 'hardening'],
  model: [],
  engine: ['model'],
  operators: ['model'],
  platform: ['model'],
  contracts: ['model'],
  consent: ['model', 'operators', 'contracts'],
  fakePlatform: ['model', 'operators'],
  endpoints: ['model', 'operators'],
  streams: ['model', 'operators', 'contracts', 'consent', 'endpoints'],
  cohorts: ['model', 'operators', 'contracts', 'endpoints'],
  sinks: ['model', 'operators', 'endpoints'],
  telemetry: ['model', 'operators', 'endpoints', 'streams', 'api'],
  engineHost: ['model', 'engine', 'operators'],
  companion: ['model'],
  gate: ['model'],
  natives: ['model'],
  overlay: ['model', 'operators'],
  addons: ['model', 'operators', 'contracts', 'consent'],
  addonKit: ['model', 'operators', 'fakePlatform', 'consent', 'addons'],
  api: ['model', 'operators', 'contracts'],
  page: ['model', 'api'],
  hooks: ['model', 'operators', 'api', 'page'],
  testing: ['model', 'engine', 'operators', 'fakePlatform', 'engineHost', 'addons', 'api', 'visit', 'page'],
  visit: ['model', 'operators', 'contracts', 'endpoints', 'streams', 'cohorts', 'sinks', 'addons', 'api'],
  inspector: ['model', 'operators', 'fakePlatform', 'streams', 'addons', 'api', 'visit'],
};

/** Folders that know nothing of the SDK: every other folder may import them. */
const base = ['codecs', 'primitives', 'hardening', 'privacy'];

/**
 * The lower folders of src/engine, and the folders of it whose values they may import. `state` and `evaluate` are above
 * them. Types are let through: the index and the models know the types of the queries that they serve.
 */
const engineLayers = {
  language: [],
  cells: ['language'],
  index: ['language', 'cells'],
  models: ['language', 'cells'],
};

/**
 * Folders beside src, and those that each may import. `scripts`, the commands of this repository, may import all of
 * them, and no folder imports scripts.
 */
const rooms = {
  project: ['src'],
  bundle: ['project', 'src'],
  demo: ['bundle', 'project', 'src'],
  studio: ['demo', 'bundle', 'project', 'src'],
  command: ['studio', 'demo', 'bundle', 'project', 'src'],
  bench: ['studio', 'demo', 'bundle', 'project', 'src'],
};

/** Files that wire a side of the SDK together: they alone may import from platform, and from any folder. */
const wiring =
  '^src/(gate|door|handOver|main|mainDoor|nativesCheck|checkNatives|worker|boot|runtime|inspectorDoor)\\.ts$|^src/engineHost/(serve|pageEngine)\\.ts$|^src/telemetry/pageMetrics\\.ts$|^src/visit/deferredParts\\.ts$|^src/testing/fakeRuntime\\.ts$|^src/inspector/(inspector\\.ts$|inspectedPage\\.ts$|replay/)';

module.exports = {
  forbidden: [
    { name: 'no-circular', comment: 'Types count too.', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' }, to: {} },
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `${layer}-imports`,
      severity: 'error',
      comment: `src/${layer} may import ${allowed.join(', ') || 'no other folder'}.`,
      from: { path: `^src/${layer}/`, pathNot: wiring },
      to: {
        path: '^src/',
        pathNot: [
          `^src/(${[layer, ...allowed, ...(base.includes(layer) ? [] : base)].join('|')})/`,
          '^src/platform/platform\\.ts$',
        ],
        dependencyTypesNot: ['dynamic-import'],
      },
    })),
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports`,
      severity: 'error',
      comment: `${room} may import ${allowed.join(', ')}.`,
      from: { path: `^${room}/` },
      to: {
        path: '^(src|project|bundle|demo|studio|command|bench|scripts)/',
        pathNot: `^(${[room, ...allowed].join('|')})/`,
      },
    })),
    ...Object.entries(engineLayers).map(([layer, allowed]) => ({
      name: `engine-${layer}-imports`,
      severity: 'error',
      comment: `src/engine/${layer} may import values of ${allowed.join(', ') || 'no other folder of the engine'}.`,
      from: { path: `^src/engine/${layer}/` },
      to: {
        path: '^src/engine/',
        pathNot: `^src/engine/(${[layer, ...allowed].join('|')})/`,
        dependencyTypesNot: ['type-only'],
      },
    })),
    {
      name: 'addons-are-islands',
      severity: 'error',
      comment: 'A partner is one folder; partners share src/addons/activations, and ad servers src/addons/adServer.',
      from: { path: '^src/addons/([^/]+)', pathNot: '^src/addons/addonList\\.ts$' },
      to: { path: '^src/addons/', pathNot: ['^src/addons/$1', '^src/addons/(addon\\.ts$|activations/|adServer/)'] },
    },
    {
      name: 'only-the-contract-of-addons',
      severity: 'error',
      comment: 'Partners are named by their list alone, which has of their code what reads their options.',
      from: { path: '^src/', pathNot: '^src/addons/' },
      to: { path: '^src/addons/', pathNot: '^src/addons/((addon|addonList)\\.ts$|activations/|adServer/)' },
    },
    {
      name: 'engine-is-plain',
      severity: 'error',
      from: { path: '^src/(engine|model|codecs|primitives|privacy)/' },
      to: { path: 'node_modules/(rxjs|react|idb)' },
    },
    {
      name: 'react-stays-in-overlay',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(overlay|inspector|hooks)/' },
      to: { path: 'node_modules/(react|react-dom|observable-hooks)/' },
    },
    {
      name: 'world-through-platform',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/' },
      to: { path: 'node_modules/(idb/|rxjs/dist/cjs/(ajax|fetch|webSocket))' },
    },
    {
      name: 'not-to-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|marbles|demo|bench|project|bundle|studio|command|scripts)/' },
    },
    {
      name: 'delivered-without-tests',
      severity: 'error',
      comment: 'What publishers run is delivered, and tests are not.',
      from: { path: '^(project|bundle|demo|studio|command)/' },
      to: { path: '^(test|marbles)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
