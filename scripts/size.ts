// Sizes of what the build wrote, each file and what a visit loads of them, against their budgets in bytes. The command
// fails where a size is over its budget, and where a file has a character that makes browsers keep all of it in two
// bytes for each character.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { partAt } from '../bundle/fileNames';
import { visitFiles, visitWeights, type Weight, weightOf } from '../bundle/visitFiles';
import { nameHash } from '../src/platform/bundleFiles';
import { visitLimits } from './visitLimits';

interface Budget {
  readonly what: string;
  /** The part of the bundle, or how the names of other files end. */
  readonly part: string | RegExp;
  /** Bytes with gzip. */
  readonly limit: number;
  readonly hasReact?: boolean;
}

/** Lower a limit when its file has become smaller. The goals are 4,000 bytes of page script and 32,000 of worker. */
const budgets: readonly Budget[] = [
  // All that a visitor loads who was not asked for consent. The page script has the names of the files that change
  // without the main part, and opens the worker, which needs 1,000. Storing an answer needs 240.
  { what: 'page script', part: '', limit: 4_995 },
  // Times that no page can change need 110 bytes, here and in the worker. More natives that are looked at need 60, and
  // a bound for the depth of answers 60. Targeting that a page has cleared is put back by 210.
  // Pixels that leave each time, and are known to have left, need 180, and 320 where they are remembered.
  // Purposes of the TCF that an activation itself names need 200 there, and reports that are said once 10 in all.
  // Streams that an experiment may change, and the field of its group, need 150. Three keys of local storage need 30.
  // Names of the chunks need 450, and facts that the browser does not say 60. Errors that are only
  // logged load no chunk, which needs 100. What the start waits for needs 170. Answers that were stored before need 15.
  { what: 'main part', part: 'main', limit: 46_055 },
  // Publishers put it into each page. The group of an experiment needs 24 bytes more, in projects that have one.
  { what: 'companion', part: /-companion\.js$/, limit: 1_024 },
  // Each page has it, whatever a browser has kept: tag, link to the main part, companion and script element.
  // Storing an answer before the SDK has come needs 420.
  { what: 'head', part: /-head\.html$/, limit: 2_900 },
  // Loaded only where the address or the tab may override settings.
  { what: 'overrides', part: 'overrides', limit: 1_000 },
  // Loaded only where the page has replaced native functions. Three keys of local storage need 40, and the scripts that
  // may wait for it 120.
  { what: 'check of natives', part: 'natives', limit: 5_820 },
  { what: 'error reports', part: 'errors', limit: 2_000 },
  { what: 'metrics and vitals', part: 'vitals', limit: 6_000 },
  // A cell of the session that has two sessions needs 240 bytes, here and in the engine on the page. A history
  // of a visitor that is in one of two stores, and never in both, needs 260. Lists of events that tabs share need
  // 100, and thousands of events that wait for the engine 150. The worker finds its own parts, which needs 380.
  { what: 'worker', part: 'worker', limit: 39_380 },
  { what: 'services', part: 'worker.services', limit: 8_980 },
  // Loaded where the server counts something, and where a page asks for an explanation.
  { what: 'cloud lift', part: 'worker.lift', limit: 5_760 },
  { what: 'explanations', part: 'worker.explanations', limit: 4_080 },
  // Of the sample project's cohorts.
  { what: 'queries', part: 'worker.queries', limit: 8_650 },
  // Loaded only where workers are refused. The chunk contains the store's encryption too.
  { what: 'engine on the page', part: 'engine', limit: 56_920 },
  // What other versions have left in local storage is decoded here, where the start of a page does not wait for it.
  // Vendors that a TC string discloses, and restrictions of the publisher, need 460 bytes. The user's keys in
  // keywords of AppNexus tags, triggers of lists, and signals that a page names need 150, and US Privacy as a
  // section of GPP 10. The group of an experiment, in words and for bidders, needs 250.
  // The data layer needs 420. The table of taxonomies needs 40 more, because the inspector shares it.
  // What the companion of the next page tells needs 170.
  { what: 'deferred parts', part: 'deferred', limit: 43_320 },
  // The chunk is loaded only where somebody asks for it. A replay runs on the whole fake platform. The panel of ad
  // requests and the doctor's findings of them need 2.7 kB, which read requests to ad servers and Prebid's bidders.
  // What a consent platform says of disclosed vendors needs 1.1 kB. The group of an experiment needs 200 bytes.
  // What other scripts have taken out of ad requests, and entries of taxonomies in them, need 1.7 kB. What ad requests
  // say of an experiment, and the doctor's findings of it, need 750 bytes.
  { what: 'inspector', part: 'inspector', limit: 114_530, hasReact: true },
  { what: 'overlay', part: 'overlay', limit: 72_000, hasReact: true },
  // Loaded by the first start of `ctv`.
  { what: 'video tracking', part: 'ctv', limit: 2_400 },
  { what: 'html sanitiser', part: 'html', limit: 12_300 },
];
/** Texts that React has, of versions 19 and 18. */
const reactMarks = ['react.transitional.element', 'react.element'];

interface BuiltFile extends Weight {
  readonly file: string;
  readonly content: Buffer;
}

const inDist = readdirSync('dist').filter((file) => /\.(js|html|json)$/.test(file));
/** The hashes of a content, each as integrity and as in the name of a file. */
const hashesOf = (content: Buffer | string): readonly string[] =>
  ['sha256', 'sha384'].flatMap((algorithm) => {
    const hash = createHash(algorithm).update(content).digest('base64');
    return [hash, nameHash(hash)];
  });
/** By each hash of a file, what stands for it here: the same hash of the name of its part. */
const standIns = inDist.flatMap((file) => {
  const part = partAt(file.replace(/json$/, 'js'));
  if (part === undefined) return [];
  const others = hashesOf(part);
  return hashesOf(readFileSync(`dist/${file}`)).map((hash, i) => [hash, others[i] ?? ''] as const);
});
/**
 * The content with other hashes in it. A hash changes with each byte of its file, and how well a hash can be compressed
 * is chance: a file would pass its budget by chance.
 */
const withStandIns = (content: Buffer): Buffer =>
  Buffer.from(
    standIns.reduce((text, [hash, standIn]) => text.replaceAll(hash, standIn), content.toString('latin1')),
    'latin1',
  );

const built = inDist
  .filter((file) => /\.(js|html)$/.test(file))
  .map((file): BuiltFile => {
    const content = withStandIns(readFileSync(`dist/${file}`));
    return { file, content, ...weightOf(content) };
  });

const line = (what: string, bytes: number, limit: number, unit: string, faults: readonly string[] = []): string => {
  const left = (100 * (1 - bytes / limit)).toFixed(1);
  const marks = [...(bytes > limit ? ['OVER BUDGET'] : []), ...faults];
  if (marks.length > 0) process.exitCode = 1;
  return [`${what.padEnd(28)}${String(bytes).padStart(8)} of ${limit} bytes ${unit}, ${left} % left`, ...marks].join(
    '  ',
  );
};

for (const { what, part, limit, hasReact = false } of budgets) {
  const found = built.find(({ file }) => (typeof part === 'string' ? partAt(file) === part : part.test(file)));
  if (found === undefined) throw new Error(`dist has no ${what}: run \`npm run build\` first`);
  const { content, gzip } = found;
  const faults = [
    ...(!hasReact && reactMarks.some((mark) => content.includes(mark)) ? ['HAS REACT'] : []),
    ...(content.some((byte) => byte > 127) ? ['NOT IN ASCII'] : []),
  ];
  console.log(line(what, gzip, limit, 'gzip', faults));
}

for (const { visit, files, ...weight } of visitWeights(built)) {
  const { when, parts } = visitFiles[visit];
  if (files !== parts.length) throw new Error(`dist has ${files} of the ${parts.length} files of ${when}`);
  for (const unit of ['gzip', 'brotli'] as const)
    console.log(line(`${visit} visit, files: ${files}`, weight[unit], visitLimits[visit][unit], unit));
}
