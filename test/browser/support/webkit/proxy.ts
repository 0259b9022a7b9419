import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

import type { Said } from './said';

/** A request of a page on its way through the proxy. */
export interface ProxiedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/**
 * What becomes of a request: an answer of the test's own, no answer at all, what its server says, or what an earlier
 * handler decides.
 */
export type Fate = Answer | 'abort' | 'continue' | 'fallback';

export interface ProxyHooks {
  readonly decide: (request: ProxiedRequest) => Promise<Exclude<Fate, 'fallback'>>;
  readonly saw: (request: ProxiedRequest) => void;
  readonly said: (what: Said) => void;
  /** Scripts that run before those of each page. */
  readonly scripts: () => readonly string[];
}

const saidPath = '/.driver/said';
/** An empty page of any origin, which no test hears of. */
export const blankPath = '/.driver/blank';

/** Defines a function of the page that tells the proxy with what it was called. */
export const telling = (name: string): string =>
  `window[${JSON.stringify(name)}] = (...args) => navigator.sendBeacon('${saidPath}', JSON.stringify({ type: 'call', text: JSON.stringify([${JSON.stringify(name)}, args]), url: location.href }))`;

/**
 * On http, WebKit keeps no cookie with Secure, and none of the domain localhost. Chromium and Firefox keep them, so
 * both words are taken away here.
 */
const insecureCookies = `(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(Document.prototype, 'cookie', {
    configurable: true,
    enumerable: true,
    get,
    set(text) { set.call(this, String(text).replace(/; *(secure|samesite=none|domain=\\.?localhost)(?=;|$)/gi, '')); },
  });
})();`;

/**
 * Tells the proxy, at an address of the page's own origin, what the page says: WebDriver has no events. The page goes
 * on meanwhile, because a synchronous request of a page that is on its way in or out may never end. What cannot be told
 * so is kept for `untoldByPage`.
 */
const listening = `(() => {
  const { fetch } = window;
  const telling = [];
  const untold = [];
  Object.defineProperties(window, { __telling: { value: telling }, __untold: { value: untold } });
  const tell = (type, text) => {
    const said = { type, text: String(text), url: location.href };
    const sent = fetch('${saidPath}', { method: 'POST', body: JSON.stringify(said), keepalive: true });
    telling.push(sent.catch(() => { untold.push(said); }));
  };
  for (const type of ['error', 'warning']) {
    const name = type === 'warning' ? 'warn' : type;
    const own = console[name];
    console[name] = function (...args) { tell(type, args.join(' ')); return own.apply(this, args); };
  }
  // A page that comes back from the back-forward cache is there again.
  addEventListener('pageshow', ({ persisted }) => { if (persisted) delete window.__left; });
  addEventListener('error', (event) => { if (event instanceof ErrorEvent) tell('uncaught', event.message); });
  addEventListener('unhandledrejection', (event) => tell('uncaught', event.reason && event.reason.message || event.reason));
})();`;

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const optionsOf = ({ url, method, headers }: ProxiedRequest) => {
  const { hostname } = new URL(url);
  return {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    // Browsers know all names below localhost, and Node does not.
    hostname: hostname.endsWith('.localhost') ? 'localhost' : hostname,
  };
};

/** Passes an answer on as it comes, because a stream of events has no end. */
const passOn = (request: ProxiedRequest, response: ServerResponse): void => {
  const sent = ask(request.url, optionsOf(request), (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.once('error', () => response.destroy());
  response.once('close', () => sent.destroy());
  sent.end(request.body);
};

export const fromServer = (request: ProxiedRequest): Promise<Required<Answer>> =>
  new Promise((resolve, reject) => {
    const sent = ask(request.url, optionsOf(request), (answer) => {
      bodyOf(answer).then(
        (whole) =>
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers as Record<string, string>, body: whole }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(request.body);
  });

const policyHeader = 'content-security-policy';

/** A page with scripts before its own, and with a policy that lets them run. */
const withScripts = (html: string, headers: Readonly<Record<string, string>>, scripts: readonly string[]) => {
  const policy = headers[policyHeader] ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const script = `${scripts.join(';\n')};document.currentScript.remove()`;
  const element = `<script${nonce === undefined ? '' : ` nonce="${nonce}"`}>${script}</script>`;
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const isRefused = policy !== '' && nonce === undefined && !/script-src [^;]*'unsafe-inline'/.test(policy);
  return {
    html: /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + element) : element + html,
    headers: isRefused
      ? { ...headers, [policyHeader]: policy.replace(/(?<=(?:script|default)-src )/g, `${hash} `) }
      : headers,
  };
};

/**
 * Answers as the hooks say. Length and encoding of an answer are the proxy's own. WebKit stores no file, so that each
 * request of a page is seen.
 */
const answerWith = (response: ServerResponse, { status = 200, headers = {}, body = '' }: Answer, scripts: string[]) => {
  const isPage = /^text\/html/.test(headers['content-type'] ?? '');
  const page = isPage ? withScripts(body.toString(), headers, scripts) : undefined;
  const whole = Buffer.from(page?.html ?? body);
  const kept = Object.entries(page?.headers ?? headers).filter(
    ([name]) => !/^(content-length|transfer-encoding|connection|etag|last-modified)$/.test(name),
  );
  const own = { 'content-length': String(whole.length), ...(!isPage && { 'cache-control': 'no-store' }) };
  response.writeHead(status, { ...Object.fromEntries(kept), ...own }).end(whole);
};

let secured: SecureContext | undefined;
/** With a certificate that nobody trusts; the host of WebKit does not ask for that. Made once for all browsers. */
const secureContext = (): SecureContext => (secured ??= createSecureContext(madeCertificate()));

const madeCertificate = (): { readonly key: string; readonly cert: string } => {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-batch'];
  const pem = execFileSync('/usr/bin/openssl', [...args, '-subj', '/CN=test', '-keyout', '-', '-out', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { key: pem, cert: pem };
};

/**
 * All requests of a WebKit go through a proxy, because WebDriver cannot intercept any. No server answers to `https`:
 * such requests fail where no test answers them.
 */
export const startProxy = async (hooks: ProxyHooks): Promise<{ readonly port: number; readonly close: () => void }> => {
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: target = '', method = 'GET', headers } = incoming;
    const url = incoming.socket instanceof TLSSocket ? `https://${headers.host}${target}` : target;
    const request = { url, method, headers: headers as Record<string, string>, body: await bodyOf(incoming) };
    if (url.includes(saidPath)) {
      hooks.said(JSON.parse(request.body.toString()) as Said);
      return void response.end();
    }
    if (url.endsWith(blankPath)) return void response.setHeader('content-type', 'text/html').end();
    hooks.saw(request);
    const fate = await hooks.decide(request);
    if (fate === 'abort' || (fate === 'continue' && url.startsWith('https:'))) return void response.destroy();
    if (fate === 'continue' && headers.accept === 'text/event-stream') {
      passOn(request, response);
      return;
    }
    const answer = fate === 'continue' ? await fromServer(request) : fate;
    answerWith(response, answer, [listening, insecureCookies, ...hooks.scripts()]);
  };
  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()));
  // A connection that the server ends while a page sends on it costs the page its request.
  server.keepAliveTimeout = 0;
  server.on('connect', (_, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const secure = new TLSSocket(socket, { isServer: true, secureContext: secureContext() });
    secure.on('error', () => socket.destroy());
    server.emit('connection', secure);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
