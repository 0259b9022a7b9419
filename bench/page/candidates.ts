import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { minifySync } from '@swc/core';

/** One SDK on the page of the benchmark. */
export interface Candidate {
  readonly name: string;
  /** Its script as publishers load it. */
  readonly script: string;
  /** Folder of the chunks that the script loads, for those that load some beside it. */
  readonly dist?: string;
  /** Name of the script's file. Default: `sdk.js`. */
  readonly file?: string;
  /** What pins its script in the element that its documentation shows. */
  readonly integrity?: string;
  /** Further files that it loads, by address. `HOST` in them stands for the server's host. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs in the page before the script element: the queue that the documentation shows. Ends with `bench.ready()`. */
  readonly before?: string;
  /** Runs when the script has loaded, where its documentation has no queue. */
  readonly after?: string;
  /** Tracks one event, as an expression; absent where it has no such call. */
  readonly track?: string;
}

const modules = resolve(import.meta.dirname, 'node_modules');
const read = (file: string): string => readFileSync(resolve(modules, file), 'utf8');

/** Optable knows no protocol but https, for which this machine has no certificate. */
const withoutTls = (script: string): string => {
  const changed = script.replaceAll('https://$', 'http://$');
  if (changed === script) throw new Error('The script of Optable names its server in another way');
  return changed;
};

/** Prebid of the project's own tests, minified as publishers load it. */
const prebid = (): string => {
  const build = resolve(import.meta.dirname, '../../scripts/prebid.mjs');
  const file = execFileSync(process.execPath, [build], { encoding: 'utf8' }).trim();
  return minifySync(readFileSync(file, 'utf8'), { compress: true, mangle: true }).code;
};

/** The least that does the same by hand: an id, a page view, a request for each event. */
const floorScript = `!function(){var s=localStorage,u=s.getItem("floor")||crypto.randomUUID();s.setItem("floor",u);
function track(n,p){return fetch("/collect",{method:"POST",keepalive:true,body:JSON.stringify({id:crypto.randomUUID(),user:u,name:n,properties:p,time:Date.now(),url:location.href})})}
window.floor={track:track};track("Pageview",{title:document.title}).then(bench.ready)}()`;

/** The peers, each tracking one page view where it can, with its answers served from this machine. */
export const peers = (isWanted: (name: string) => boolean): readonly Candidate[] =>
  makers.filter(({ name }) => isWanted(name)).map(({ script, ...peer }) => ({ ...peer, script: script() }));

/** Their scripts are read, or built, only where they are wanted. */
const makers: readonly (Omit<Candidate, 'script'> & { readonly script: () => string })[] = [
  { name: 'floor', script: () => floorScript, track: "floor.track('Many', { i: i })" },
  {
    name: 'Optable',
    script: () => withoutTls(read('@optable/web-sdk/browser/dist/sdk.js')),
    before: `window.optable = { cmd: [] };
      optable.cmd.push(function () {
        optable.instance = new optable.SDK({ host: location.host, site: 'bench', cookies: false });
        optable.instance.witness('pageview', { title: document.title }).then(bench.ready, bench.ready);
      });`,
    track: "optable.instance.witness('many', { i: String(i) })",
  },
  {
    name: 'Snowplow',
    script: () => read('@snowplow/browser-tracker/dist/index.umd.min.js'),
    after: `snowplowBrowserTracking.newTracker('sp', location.origin, { appId: 'bench', onRequestSuccess: function () { bench.ready(); } });
      snowplowBrowserTracking.trackPageView();`,
    track: "snowplowBrowserTracking.trackStructEvent({ category: 'bench', action: 'many', value: i })",
  },
  {
    name: 'Segment',
    script: () => read('@segment/analytics-next/dist/umd/standalone.js'),
    dist: resolve(modules, '@segment/analytics-next/dist/umd'),
    before: `var analytics = (window.analytics = []);
      analytics.methods = ['page', 'track', 'ready', 'on', 'identify'];
      analytics.methods.forEach(function (m) { analytics[m] = function () { analytics.push([m].concat(Array.prototype.slice.call(arguments))); return analytics; }; });
      analytics._writeKey = 'KEY'; analytics._cdn = location.origin;
      analytics.page(); analytics.ready(function () { bench.ready(); });`,
    files: {
      '/v1/projects/KEY/settings': JSON.stringify({
        integrations: { 'Segment.io': { apiKey: 'KEY', apiHost: 'HOST/v1', protocol: 'http' } },
        plan: {},
      }),
    },
    track: "analytics.track('Many', { i: i })",
  },
  {
    name: 'Datadog RUM',
    script: () => read('@datadog/browser-rum/bundle/datadog-rum.js'),
    dist: resolve(modules, '@datadog/browser-rum/bundle'),
    after: `DD_RUM.init({ applicationId: '00000000-0000-4000-8000-000000000000', clientToken: 'token', site: 'datadoghq.com', proxy: location.origin + '/collect', sessionSampleRate: 100, sessionReplaySampleRate: 0, trackUserInteractions: true, trackResources: true, trackLongTasks: true });
      DD_RUM.onReady(function () { bench.ready(); });`,
    track: "DD_RUM.addAction('many', { i: i })",
  },
  {
    name: 'PostHog',
    script: () => read('posthog-js/dist/array.js'),
    before: `window.posthog = []; posthog._i = []; posthog.__SV = 1;
      posthog.init = function (i, s, a) { posthog._i.push([i, s, a || 'posthog']); };
      posthog.init('KEY', { api_host: location.origin, advanced_disable_flags: true, opt_out_useragent_filter: true, disable_external_dependency_loading: true, loaded: function () { bench.ready(); } });`,
    track: "posthog.capture('many', { i: i })",
  },
  {
    // Bidders, identity, consent and an ad unit, but no auction.
    name: 'Prebid',
    script: prebid,
    before: `window.pbjs = { que: [] };
      pbjs.que.push(function () {
        pbjs.setConfig({ userSync: { syncEnabled: false } });
        pbjs.addAdUnits([{ code: 'top', mediaTypes: { banner: { sizes: [[970, 250], [728, 90]] } }, bids: [{ bidder: 'appnexus', params: { placementId: 1 } }, { bidder: 'ix', params: { siteId: '1' } }] }]);
        bench.ready();
      });`,
  },
];
