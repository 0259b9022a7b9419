import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The demo site's own pages want not to be kept; most publishers' let themselves be. */
export const keptSite = async (site: string): Promise<{ readonly address: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    void fetch(site + (request.url ?? '/'))
      .then((answer) => answer.text())
      .then((body) => response.setHeader('content-type', 'text/html').end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};
