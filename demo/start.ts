import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createApi } from './api/api';
import { listen } from './api/listen';
import { createSite } from './page/site';

/** Ports of the demo: the publisher's site, the CDN with the bundle, the API. Three origins, as on a real page. */
const ports = { site: 8080, cdn: 8081, api: 8787 };
