import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Context, Hono } from 'hono';
import { stream, streamSSE } from 'hono/streaming';

import { type Codec, DecodeError, readAs } from '../../src/codecs/codecs';
import { changesPath, type Conflict, type Refusal, type Save, type SizeLine } from '../protocol';
import { jsonBodies, onlyThisMachine, withToken } from './access';
import { bodies } from './bodies';
import { VersionConflict } from './projectFile';
import { Refused } from './refused';
import { Stopped } from './sizing/pool';
import type { Studio } from './studio';

/** How often a stream of changes says that it is still there, in ms. */
const aliveMs = 15_000;

export interface AppOptions {
  readonly studio: Studio;
  readonly token: string;
  /** The folder of the page's files. */
  readonly page: string;
  /** Calls on each change of the project on disk. Answers how to stop. */
  readonly onChange: (listener: () => void) => () => void;
  /** Told what went wrong that is not the fault of a call. */
  readonly report: (error: unknown) => void;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Studio's page and its calls. */
export const studioApp = ({ studio, token, page, onChange, report }: AppOptions): Hono => {
  const app = new Hono();
  app.use(onlyThisMachine);
  app.use('/api/*', withToken(token));
  app.use('/api/*', jsonBodies);

  const call = <Body>(name: string, codec: Codec<Body>, work: (body: Body) => Promise<unknown>): void => {
    app.post(`/api/${name}`, async (c) => c.json((await work(await bodyOf(c, codec))) as object));
  };
  call('project', bodies.nothing, studio.project);
  call('save', bodies.save, (body) => studio.save(body as Save));
  call('entry', bodies.entry, studio.setEntry);
  call('examples', bodies.examples, studio.saveExamples);
  call('check', bodies.check, ({ id, definition }) => studio.check({ id, definition }));
  call('vocabulary', bodies.nothing, studio.vocabulary);
  call('find', bodies.find, studio.find);
  call('visitor', bodies.visitor, ({ id }) => studio.visitor(id));
  call('compare', bodies.nothing, studio.compare);
  call('publish', bodies.publish, studio.publish);
  app.post('/api/size', async (c) => {
    const { definition } = await bodyOf(c, bodies.size);
    c.header('content-type', 'application/x-ndjson; charset=utf-8');
    return stream(c, async (lines) => {
      const stop = new AbortController();
      lines.onAbort(() => stop.abort());
      let last: Promise<unknown> = Promise.resolve();
      const write = (line: SizeLine): void => {
        last = last.then(() => lines.write(`${JSON.stringify(line)}\n`));
      };
      await studio.size(definition, write, stop.signal).catch((error: unknown) => {
        if (!(error instanceof Refused) && !(error instanceof Stopped)) report(error);
        write({ type: 'refused', message: messageOf(error) });
      });
      await last;
    });
  });
  app.get(changesPath, (c) =>
    streamSSE(c, async (events) => {
      const write = (event: string): void => void events.writeSSE({ event, data: '{}' }).catch(() => undefined);
      const stop = onChange(() => write('project'));
      const alive = setInterval(() => write('alive'), aliveMs);
      write('alive');
      await new Promise<void>((done) => events.onAbort(done));
      clearInterval(alive);
      stop();
    }),
  );
  app.get('/*', (c) => fileOf(c, page));
  app.notFound((c) => c.json({ message: 'There is no such call.' } satisfies Refusal, 404));
  app.onError(async (error, c) => {
    if (error instanceof VersionConflict) {
      const conflict: Conflict = {
        message: 'The file was changed meanwhile. Nothing was written.',
        project: await studio.project(),
      };
      return c.json(conflict, 409);
    }
    if (error instanceof Refused) return c.json({ message: error.message } satisfies Refusal, error.status);
    report(error);
    return c.json({ message: messageOf(error) } satisfies Refusal, 500);
  });
  return app;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const bodyOf = async <Body>(c: Context, codec: Codec<Body>): Promise<Body> => {
  let input: unknown;
  try {
    input = JSON.parse(await c.req.text());
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused(400, 'The body is no JSON.');
    throw error;
  }
  const body = readAs(codec, input);
  if (body instanceof DecodeError) throw new Refused(400, `The call is wrong: ${body.message}`);
  return body;
};

const fileOf = (c: Context, folder: string): Response | Promise<Response> => {
  const name = c.req.path === '/' ? 'index.html' : c.req.path.slice(1);
  const type = contentTypes[extname(name)];
  const file = resolve(folder, name);
  if (!/^[\w.-]+$/.test(name) || type === undefined || !existsSync(file)) return c.notFound();
  return c.body(readFileSync(file), 200, { 'content-type': type });
};
