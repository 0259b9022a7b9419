import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { scriptFile, type Visitor } from './visitor';

/**
 * Opens a blank page whose HTML is changed, from a server of its own: browsers let pages that a test has made up ask no
 * local server. Other files of the site come from that server as they are.
 */
export const openChanged = async (
  visitor: Visitor,
  site: string,
  query: string,
  change: (html: string) => string,
  waitUntil: 'load' | 'domcontentloaded' = 'load',
): Promise<void> => {
  const server = createServer((request, response) => {
    void fetch(site + (request.url ?? '/')).then(async (answer) => {
      const policy = answer.headers.get('content-security-policy');
      const type = answer.headers.get('content-type') ?? '';
      response.setHeader('content-type', type);
      if (policy !== null) response.setHeader('content-security-policy', policy);
      const text = await answer.text();
      response.end(request.url?.startsWith('/blank') === true ? change(text) : text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  visitor.context.once('close', () => server.close());
  const { port } = server.address() as AddressInfo;
  await visitor.page.goto(`http://localhost:${port}/blank${query}`, { waitUntil });
};

/** Puts a visitor's comment into the page's body, which is there before the SDK's script runs. */
export const openWith = async (visitor: Visitor, site: string, html: string, query = ''): Promise<void> => {
  const release = await visitor.hold(scriptFile);
  visitor.page.once('domcontentloaded', release);
  await openChanged(visitor, site, query, (text) => text.replace(/<body[^>]*>/, `$&${html}`));
};
