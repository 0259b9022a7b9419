import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { project } from '../../../demo/project/project';
import type { Demo } from '../../../demo/servers';
import { bids, rtd } from './auction';
import { pause } from './pause';

/** Hosts of the demo, as settings of the tag. */
export const hostsOf = ({ api }: Demo): object => {
  const { host } = new URL(api);
  return { apiHost: host, apiProtocol: 'http', cdnBaseUrl: host, cdnProtocol: 'http' };
};

/**
 * The head as the README has it, with what the build and the demo put in place of the names in capitals. `cdn`: where
 * the page loads the bundle from.
 */
export const exampleHead = (demo: Demo, cdn = demo.cdn): string => {
  const [, example = ''] = /```html\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  return (
    example
      .replace("'WORKSPACE_ID', {}", `'WORKSPACE_ID', ${JSON.stringify(hostsOf(demo))}`)
      .replace('COMPANION', () => readFileSync(`dist/${project.workspaceId}-companion.js`, 'utf8'))
      .replace('API_KEY', project.apiKey)
      // Not pinned.
      .replace(/<link .*\n/, '')
      .replace(' integrity="INTEGRITY"', '')
      .replace('HASH.', '')
      .replaceAll('https://CDN', cdn)
      .replaceAll('WORKSPACE_ID', project.workspaceId)
  );
};

/** The head that the build has written for publishers, with the demo's hosts in place of those of the definition. */
export const builtHead = (demo: Demo): string => {
  const { workspaceId } = project;
  return readFileSync(`dist/${workspaceId}-head.html`, 'utf8')
    .replace(`'${workspaceId}', {}`, `'${workspaceId}', ${JSON.stringify(hostsOf(demo))}`)
    .replace(/(?<=(?:src|href)=")[^"]*(?=\/)/g, demo.cdn);
};

/** The README's example in a page with one slot of Google's. */
export interface ExamplePage {
  readonly address: string;
  readonly close: () => void;
}

export interface ExampleOptions {
  readonly hasCompanion: boolean;
  /** Whether Prebid holds an auction too. */
  readonly hasAuction?: boolean;
  /** The text of another script of the page, which comes after the ad tag's. */
  readonly otherScript?: string;
}

/** The SDK's script comes this late, in ms. Out of the cache, it would come before the frame of the stand-in. */
export const bundleDelay = 1500;

/** The page itself asks at the path and with the parameters of the real tag, because the stand-in does not. */
const googleSlot = `
<script src="/assets/googletag.js" async></script>
<script>
  window.googletag = window.googletag || { cmd: [] };
  googletag.cmd.push(function () {
    var pubads = googletag.pubads();
    pubads.addEventListener('slotRequested', function () {
      var keys = new URLSearchParams(pubads.getTargetingKeys().map(function (key) {
        return [key, pubads.getTargeting(key).join(',')];
      }));
      var query = { iu_parts: '1,first', enc_prev_ius: '/0/1', cust_params: keys };
      var taxonomies = googletag.pps && googletag.pps.taxonomies;
      if (taxonomies) query.ppsj = btoa(JSON.stringify({
        PublisherProvidedTaxonomySignals: Object.keys(taxonomies).map(function (name) {
          return { taxonomy: name, values: taxonomies[name].values };
        })
      }));
      fetch('/gampad/ads?' + new URLSearchParams(query));
    });
    googletag.defineSlot('/1/first', [300, 250], 'google-place').addService(pubads);
    googletag.enableServices();
    googletag.display('google-place');
  });
</script>`;

/** An auction among real bidders, whose servers nobody reaches. */
const auction = `
<script src="/prebid.js" async></script>
<script>
  window.pbjs = { que: [] };
  pbjs.que.push(function () {
    pbjs.setConfig(${JSON.stringify({ userSync: { syncEnabled: false }, ...rtd(false) })});
    pbjs.requestBids({ adUnits: [
      ${JSON.stringify({ code: 'auctioned', mediaTypes: { banner: { sizes: [[300, 250]] } }, bids })}
    ] });
  });
</script>`;

/** Serves the example from an origin of its own. Scripts of the demo and of the bundle come from there too. */
export const serveExample = async (
  demo: Demo,
  { hasCompanion, hasAuction = false, otherScript }: ExampleOptions,
): Promise<ExamplePage> => {
  const other = otherScript === undefined ? '' : '<script src="/other.js"></script>';
  const scripts = `${googleSlot}${other}${hasAuction ? auction : ''}`;
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    const { host } = request.headers;
    if (url.startsWith('/gampad/ads?')) {
      response.writeHead(204).end();
      return;
    }
    if (url === '/other.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(otherScript);
      return;
    }
    if (url === '/' || url.startsWith('/?')) {
      const head = exampleHead(demo, `http://${host}/bundle`);
      const shown = hasCompanion ? head : head.replace(/<script>[^<]*permutive-prebid-rtd[\s\S]*?<\/script>/, '');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><html lang="en"><head><title>Example</title>${shown}
<script>permutive.addon('web', { page: { article: { section: 'savings' } } });</script>${scripts}</head>
<body><div id="google-place" style="width:300px;height:250px"></div></body></html>`,
      );
      return;
    }
    const isBundle = url.startsWith('/bundle/');
    void fetch(isBundle ? demo.cdn + url.slice('/bundle'.length) : demo.site + url).then(async (answer) => {
      const text = await answer.text();
      if (/-web\.js$/.test(url)) await pause(bundleDelay, 'the server of the bundle is slow');
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
