import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pages that a test has written, and all others from the demo site with a record, on any host under `.localhost`. */
export interface FramedSite {
  /** The origin of a host, such as `publisher` for `publisher.localhost`. */
  readonly originOf: (host: string) => string;
  readonly close: () => void;
}

const bundle = /<script[^>]*-web\.js/;
/** The page keeps a record: in a frame of another site no address can ask for it. */
const recording = '<script>permutive.config.inspector = true</script>';

/**
 * Serves pages by their path from a server of its own: browsers let pages that a test has made up ask no local server.
 * Each page is a function of the way to name origins, because it has frames of other hosts. `inside`: what
 * pages of the demo site have before the SDK's script.
 */
export const framedSite = async (
  site: string,
  pages: Readonly<Record<string, (originOf: FramedSite['originOf']) => string>>,
  inside = recording,
): Promise<FramedSite> => {
  const server = createServer((request, response) => {
    const address = request.url ?? '/';
    const own = pages[address.split('?')[0] ?? ''];
    const html = 'text/html; charset=utf-8';
    const answer = async (): Promise<string> => {
      if (own) return own(originOf);
      const page = await fetch(site + address);
      response.setHeader('content-type', page.headers.get('content-type') ?? html);
      return (await page.text()).replace(bundle, `${inside}$&`);
    };
    response.setHeader('content-type', html);
    void answer().then((body) => response.end(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const originOf = (host: string): string => `http://${host}.localhost:${port}`;
  return { originOf, close: () => server.close() };
};
