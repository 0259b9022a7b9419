import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { commonHeaders } from '../../../bundle/fileHeaders';
import { uploadPlan } from '../../../command/support/uploadPlan';
import { scriptName } from './bundleFile';

const script = `${scriptName}.js`;

/** A CDN that serves what is uploaded with the headers of the plan, and one page of a site that names its script. */
export const openPublisher = async (demoSite: string) => {
  const files = new Map<string, { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }>();
  const state = { element: '', age: 0 };
  const served: string[] = [];
  const cdn = await listening(
    createServer((request, response) => {
      const found = files.get((request.url ?? '').slice(1));
      if (found) {
        served.push(request.url ?? '');
        response.writeHead(200, { ...found.headers, age: String(state.age) }).end(found.body);
      } else response.writeHead(404, commonHeaders).end();
    }),
  );
  const site = await listening(
    createServer((request, response) => {
      void fetch(demoSite + (request.url ?? '/')).then(async (answer) => {
        const text = await answer.text();
        response.setHeader('content-type', answer.headers.get('content-type') ?? '');
        response.setHeader('cache-control', 'no-store');
        response.end(text.replace(/<script[^>]*-web\.js[^>]*><\/script>/, state.element));
      });
    }),
  );
  return {
    cdn: cdn.origin,
    site: site.origin,
    /** The paths that the CDN has sent since it was asked last. */
    takeServed: (): readonly string[] => served.splice(0),
    /** How old answers say they are, in s, as after some time in the cache of the CDN. */
    setAge: (age: number): void => void (state.age = age),
    /** Uploads a build over what is there. `but`: files that the CDN's edge goes on serving as they were. */
    upload: (from: string, but: readonly string[] = []): void => {
      for (const { file, contentType, cacheControl } of uploadPlan(from, 'dist').uploads)
        if (!but.includes(file) || !files.has(file))
          files.set(file, {
            body: readFileSync(join(from, file)),
            headers: { ...commonHeaders, 'content-type': contentType, 'cache-control': cacheControl },
          });
    },
    /** Has the page name the script as a page does that pins nothing. */
    name: (): void => void (state.element = `<script async src="${cdn.origin}/${script}"></script>`),
    /** Has the page name it as the head does that the build writes. */
    pin: (from: string): void => {
      const head = readFileSync(join(from, script.replace('-web.js', '-head.html')), 'utf8');
      const [element = ''] = /<script async src=.*<\/script>/.exec(head) ?? [];
      state.element = element.replace(/https?:\/\/[^/]+/, cdn.origin);
    },
    close: (): void => {
      for (const { server } of [cdn, site]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
};
const listening = async (server: Server): Promise<{ readonly server: Server; readonly origin: string }> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
};
