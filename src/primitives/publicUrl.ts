/** Endings of names that only exist inside a network: those reserved for it, and those that routers use. */
const privateEndings =
  /(^|\.)(localhost|local|internal|intranet|private|lan|corp|home|home\.arpa|localdomain|fritz\.box|test|invalid|onion)$/;
/** Public services whose names lead back into the visitor's network: `127.0.0.1.nip.io` is `127.0.0.1`. */
const rebindingEndings = /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|traefik\.me)$/;
/** An address in a name, written with dots or dashes. */
const addressInName = /(^|[.-])\d{1,3}([.-])\d{1,3}\2\d{1,3}\2\d{1,3}([.-]|$)/;

/**
 * The address, if a visitor's browser may be sent there: https on its own port, without credentials, and a host with a
 * public name. IP addresses and the names of a local network are refused, because the request would come from inside
 * the visitor's own network. Undefined for any other text.
 */
export const publicUrl = (text: string): URL | undefined => {
  try {
    const url = new URL(text);
    const host = url.hostname.replace(/\.$/, '');
    const isPublic =
      host.includes('.') &&
      !/^[\d.]+$|^\[/.test(host) &&
      ![privateEndings, rebindingEndings, addressInName].some((pattern) => pattern.test(host));
    const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
    return isPlain && isPublic ? url : undefined;
  } catch {
    return undefined;
  }
};
