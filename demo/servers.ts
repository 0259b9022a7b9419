import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

import { cacheControlOf, commonHeaders } from '../bundle/fileHeaders';
import { createApi } from './api/api';
import type { ApiProject } from './api/apiProject';
import { listen, type Listening } from './api/listen';
import type { Publisher } from './page/layout';
import { createSite } from './page/site';
import { project } from './project/project';

export interface Demo {
  readonly site: string;
  readonly cdn: string;
  readonly api: string;
  readonly close: () => Promise<void>;
}

export interface DemoPorts {
  readonly site: number;
  readonly cdn: number;
  readonly api: number;
}

/**
 * Three origins, as on a real page: the publisher's site, the CDN with the bundle, the API. Port 0 is any free one.
 * `config`: the page's settings; `known`: where the API is to know the project otherwise than it is.
 */
export const startDemo = async (
  ports: DemoPorts,
  config: Publisher['config'] = {},
  known: Partial<ApiProject> = {},
): Promise<Demo> => {
  const servers: Listening[] = [];
  const open = async (app: Parameters<typeof listen>[0], port: number): Promise<string> => {
    const server = await listen(app, port);
    servers.push(server);
    return `localhost:${server.port}`;
  };
  const api = await open(createApi({ project: { ...project, ...known } }), ports.api);
  const cdn = await open(bundles(), ports.cdn);
  const { workspaceId, apiKey, organizationId } = project;
  const site = await open(
    createSite({
      sdkUrl: `http://${cdn}/${workspaceId}-web.js`,
      apiHost: api,
      apiProtocol: 'http',
      workspaceId,
      apiKey,
      organizationId,
      companion: companionIn(readFileSync(resolve(bundleFolder, `${workspaceId}-head.html`), 'utf8')),
      config,
    }),
    ports.site,
  );
  return {
    site: `http://${site}`,
    cdn: `http://${cdn}`,
    api: `http://${api}`,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};

/** The companion in the head of a page: the second of its scripts. */
const companionIn = (head: string): string => head.split('<script>')[2]?.split('</script>')[0] ?? '';

/** What the build has written. */
const bundleFolder = resolve(import.meta.dirname, '../dist');

/** The CDN: what the build has written, readable from everywhere. */
const bundles = (): Hono => {
  const app = new Hono();
  app.use('*', async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(commonHeaders)) c.header(name, value);
    if (c.res.ok) c.header('cache-control', cacheControlOf(c.req.path));
  });
  app.get('/*', serveStatic({ root: bundleFolder }));
  return app;
};
