// npm run playground: builds the playground's page and serves it alone.
import { Hono } from 'hono';

import { listen } from '../api/listen';
import { buildPlayground } from './build';
import { playgroundFile } from './serve';

await buildPlayground();
const { port } = await listen(new Hono().get('/*', playgroundFile), 8090);
console.log(`Playground  http://localhost:${port}\n\nCtrl-C stops it.`);
