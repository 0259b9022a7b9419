// Builds a publisher's Prebid from the npm release, unchanged, with the modules that read what the SDK has written, and
// those that publishers have beside them.
// Kept in build/prebid until the release or the list of modules changes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack from 'webpack';

const modules = [
  'rtdModule',
  'permutiveRtdProvider',
  'userId',
  'permutiveIdentityManagerIdSystem',
  'sharedIdSystem',
  'consentManagementTcf',
  'tcfControl',
  'consentManagementGpp',
  'gppControl_usnat',
  'gptPreAuction',
  'currency',
  'priceFloors',
  'sizeMappingV2',
  'appnexusBidAdapter',
  'ixBidAdapter',
  'pubmaticBidAdapter',
  'openxBidAdapter',
  'rubiconBidAdapter',
  'msftBidAdapter',
  'criteoBidAdapter',
  'ttdBidAdapter',
];
const folder = resolve(import.meta.dirname, '../build/prebid');

/** The path of the built script. */
export const buildPrebid = async () => {
  const script = resolve(folder, 'prebid.js');
  const release = JSON.parse(
    readFileSync(resolve(createRequire(import.meta.url).resolve('prebid.js'), '../../../../package.json'), 'utf8'),
  ).version;
  const entry = [
    `// ${release}`,
    "import pbjs from 'prebid.js';",
    ...modules.map((name) => `import 'prebid.js/modules/${name}.js';`),
    'pbjs.processQueue();',
  ].join('\n');
  const entryFile = resolve(folder, 'entry.js');
  if (existsSync(script) && existsSync(entryFile) && readFileSync(entryFile, 'utf8') === entry) return script;
  mkdirSync(folder, { recursive: true });
  const stats = await new Promise((done, failed) => {
    writeFileSync(resolve(folder, 'source.js'), entry);
    webpack(
      {
        mode: 'production',
        devtool: false,
        performance: false,
        target: 'web',
        entry: resolve(folder, 'source.js'),
        output: { path: folder, filename: 'prebid.js' },
        optimization: { minimize: false },
      },
      (error, result) => (error ? failed(error) : done(result)),
    );
  });
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  // Written last: a build that was interrupted has no entry file and is repeated.
  writeFileSync(entryFile, entry);
  return script;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await buildPrebid());
