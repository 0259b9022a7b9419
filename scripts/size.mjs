// Gzip sizes of what the build wrote, against their budgets in bytes. The command fails where a size is over its
// budget, and where a file has a character that makes browsers keep all of it in two bytes for each character.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The file of a part, whose name ends with the hash of its content. */
const part = (name) => new RegExp(`-web\\.${name}\\.[\\w-]{16}\\.js$`);

/** Lower a limit when its file has become smaller. The goals are 4,000 bytes of page script and 32,000 of worker. */
const budgets = [
  // All that a visitor loads who was not asked for consent. The page script has the names of the files that change
  // without the main part, and opens the worker, which needs 1,000.
  { what: 'page script', pattern: /^[^.]+-web\.js$/, limit: 5_000 },
  // Times that no page can change need 110 bytes, here and in the worker. More natives that are looked at need 60, and
  // a bound for the depth of answers 60. Targeting that a page has cleared is put back by 210.
  // Pixels that leave each time, and are known to have left, need 180, and 320 where they are remembered.
  // Purposes of the TCF that an activation itself names need 200 there, and reports that are said once 10 in all.
  // Streams that an experiment may change, and the field of its group, need 150. Three keys of local storage need 30.
  // Names of the chunks need 450, and facts that the browser does not say 60.
  { what: 'main part', pattern: part('main'), limit: 46_360 },
  // Publishers put it into each page. The group of an experiment needs 24 bytes more, in projects that have one.
  { what: 'companion', pattern: /-companion\.js$/, limit: 1_024 },
  // Loaded only where the address or the tab may override settings.
  { what: 'overrides', pattern: part('overrides'), limit: 1_000 },
  // Loaded only where the page has replaced native functions. Three keys of local storage need 40, and the scripts that
  // may wait for it 120.
  { what: 'check of natives', pattern: part('natives'), limit: 5_820 },
  { what: 'error reports', pattern: part('errors'), limit: 2_000 },
  { what: 'metrics and vitals', pattern: part('vitals'), limit: 6_000 },
  // A cell of the session that has two sessions needs 240 bytes, here and in the engine on the page. A history
  // of a visitor that is in one of two stores, and never in both, needs 260. Lists of events that tabs share need
  // 100, and thousands of events that wait for the engine 150.
  { what: 'worker', pattern: part('worker'), limit: 38_980 },
  // Loaded only where workers are refused. The chunk contains the store's encryption too.
  { what: 'engine on the page', pattern: part('engine'), limit: 57_370 },
  // What other versions have left in local storage is decoded here, where the start of a page does not wait for it.
  // Vendors that a TC string discloses, and restrictions of the publisher, need 460 bytes. The user's keys in
  // keywords of AppNexus tags, triggers of lists, and signals that a page names need 150, and US Privacy as a
  // section of GPP 10. The group of an experiment, in words and for bidders, needs 250.
  // The data layer needs 420. The table of taxonomies needs 40 more, because the inspector shares it.
  // What the companion of the next page tells needs 170.
  { what: 'deferred parts', pattern: part('deferred'), limit: 43_320 },
  // The chunk is loaded only where somebody asks for it. A replay runs on the whole fake platform. The panel of ad
  // requests and the doctor's findings of them need 2.7 kB, which read requests to ad servers and Prebid's bidders.
  // What a consent platform says of disclosed vendors needs 1.1 kB. The group of an experiment needs 200 bytes.
  // What other scripts have taken out of ad requests, and entries of taxonomies in them, need 1.7 kB. What ad requests
  // say of an experiment, and the doctor's findings of it, need 750 bytes.
  { what: 'inspector', pattern: part('inspector'), limit: 114_530, hasReact: true },
  { what: 'overlay', pattern: part('overlay'), limit: 72_000, hasReact: true },
  // Loaded by the first start of `ctv`.
  { what: 'video tracking', pattern: part('ctv'), limit: 2_400 },
  { what: 'html sanitiser', pattern: part('html'), limit: 12_300 },
];
const reactMarks = ['react.transitional.element', 'react.element'];

const files = readdirSync('dist').filter((name) => name.endsWith('.js'));
let over = false;
for (const { what, pattern, limit, hasReact: mayHaveReact = false } of budgets) {
  const name = files.find((file) => pattern.test(file));
  if (name === undefined) throw new Error(`dist has no ${what}: run \`npm run build\` first`);
  const text = readFileSync(`dist/${name}`);
  const bytes = gzipSync(text, { level: 9 }).length;
  const hasReact = !mayHaveReact && reactMarks.some((mark) => text.includes(mark));
  const isWide = text.some((byte) => byte > 127);
  over ||= bytes > limit || hasReact || isWide;
  const left = (100 * (1 - bytes / limit)).toFixed(1);
  console.log(
    `${what.padEnd(20)}${String(bytes).padStart(8)} of ${limit} bytes gzip, ${left} % left${bytes > limit ? '  OVER BUDGET' : ''}${hasReact ? '  HAS REACT' : ''}${isWide ? '  NOT IN ASCII' : ''}`,
  );
}
process.exitCode = over ? 1 : 0;
