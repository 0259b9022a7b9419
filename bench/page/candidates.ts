import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** One SDK on the page of the benchmark. */
export interface Candidate {
  readonly name: string;
  /** Its script as publishers load it. */
  readonly script: string;
  /** Folder of the script and of the chunks that it loads, for those that load some beside it. */
  readonly dist?: string;
  /** Name of the script's file. Default: `sdk.js`. */
  readonly file?: string;
  /** Further files that it loads, by address. */
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

/** The least that does the same by hand: an id, a page view, a request for each event. */
const floorScript = `!function(){var s=localStorage,u=s.getItem("floor")||crypto.randomUUID();s.setItem("floor",u);
function track(n,p){return fetch("/collect",{method:"POST",keepalive:true,body:JSON.stringify({id:crypto.randomUUID(),user:u,name:n,properties:p,time:Date.now(),url:location.href})})}
window.floor={track:track};track("Pageview",{title:document.title}).then(bench.ready)}()`;

/** The peers, each tracking one page view, with its answers served from this machine. */
export const peers = (): readonly Candidate[] => [
  { name: 'floor', script: floorScript, track: "floor.track('Many', { i: i })" },
  {
    name: 'Optable',
    script: read('@optable/web-sdk/browser/dist/sdk.js'),
    before: `window.optable = { cmd: [] };
      optable.cmd.push(function () {
        optable.instance = new optable.SDK({ host: 'optable.test', site: 'bench', cookies: false });
        optable.instance.witness('pageview', { title: document.title }).then(bench.ready, bench.ready);
      });`,
    track: "optable.instance.witness('many', { i: String(i) })",
  },
  {
    name: 'Snowplow',
    script: read('@snowplow/browser-tracker/dist/index.umd.min.js'),
    after: `snowplowBrowserTracking.newTracker('sp', location.origin, { appId: 'bench', onRequestSuccess: function () { bench.ready(); } });
      snowplowBrowserTracking.trackPageView();`,
    track: "snowplowBrowserTracking.trackStructEvent({ category: 'bench', action: 'many', value: i })",
  },
  {
    name: 'Segment',
    script: read('@segment/analytics-next/dist/umd/standalone.js'),
    before: `var analytics = (window.analytics = []);
      analytics.methods = ['page', 'track', 'ready', 'on', 'identify'];
      analytics.methods.forEach(function (m) { analytics[m] = function () { analytics.push([m].concat(Array.prototype.slice.call(arguments))); return analytics; }; });
      analytics._writeKey = 'KEY'; analytics._cdn = location.origin;
      analytics.page(); analytics.ready(function () { bench.ready(); });`,
    files: {
      '/v1/projects/KEY/settings': JSON.stringify({
        integrations: { 'Segment.io': { apiKey: 'KEY', apiHost: 'segment.test/v1', protocol: 'https' } },
        plan: {},
      }),
    },
    track: "analytics.track('Many', { i: i })",
  },
  {
    name: 'Datadog RUM',
    script: read('@datadog/browser-rum/bundle/datadog-rum.js'),
    after: `DD_RUM.init({ applicationId: '00000000-0000-4000-8000-000000000000', clientToken: 'token', site: 'datadoghq.com', proxy: location.origin + '/collect', sessionSampleRate: 100, sessionReplaySampleRate: 0, trackUserInteractions: true, trackResources: true, trackLongTasks: true });
      DD_RUM.onReady(function () { bench.ready(); });`,
    track: "DD_RUM.addAction('many', { i: i })",
  },
  {
    name: 'PostHog',
    script: read('posthog-js/dist/array.js'),
    before: `window.posthog = []; posthog._i = []; posthog.__SV = 1;
      posthog.init = function (i, s, a) { posthog._i.push([i, s, a || 'posthog']); };
      posthog.init('KEY', { api_host: location.origin, advanced_disable_flags: true, disable_external_dependency_loading: true, loaded: function () { bench.ready(); } });`,
    track: "posthog.capture('many', { i: i })",
  },
];
