import { realpathSync, statSync, watch } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

import { cacheControlOf, kindOf } from '../bundle/fileHeaders';
import { isForeign, isLoopback } from '../demo/api/access';
import { createApi } from '../demo/api/api';
import { listen } from '../demo/api/listen';
import { type BuildProject, ProjectError } from '../project/readProject';
import { buildProject, hasTools } from './build';
import { command, type Io, WrongCall } from './command';
import { addonFiles, addonOption } from './support/addonFiles';
import { definitionFile, loaded, sayFindings } from './support/definition';

/** Editors write a file in several steps. In ms. */
const quiet = 100;

/** What is served: the files of the publisher's folder, and the reference API for everything else. */
const siteOf = (folder: string, api: () => ReturnType<typeof createApi>): Hono => {
  const app = new Hono();
  app.use('*', async (c, next) => {
    // A website whose name leads to this machine could otherwise read the folder.
    if (!isLoopback(new URL(c.req.url).hostname)) return c.text('unknown host', 403);
    return isForeign(c) ? c.text('only for pages of this machine', 403) : next();
  });
  const files = serveStatic({ root: folder });
  app.get('*', async (c, next) => {
    if (!isServed(folder, c.req.path)) return next();
    // A page after a save asks for whatever can change. Without a header, browsers keep a file for a tenth of its age.
    const isFixed = kindOf(c.req.path) === 'named by content';
    c.header('Cache-Control', isFixed ? cacheControlOf(c.req.path) : 'no-cache');
    return files(c, next);
  });
  app.all('*', (c) => api().fetch(c.req.raw, c.env as HttpBindings));
  return app;
};

/**
 * Whether a path leads to a file of the folder that is neither hidden nor of a package. The file counts that a link
 * leads to: a link may lead out of the folder, and have a harmless name.
 */
const isServed = (folder: string, path: string): boolean => {
  try {
    const asked = realpathSync(join(folder, decodeURIComponent(path)));
    const file = statSync(asked).isDirectory() ? realpathSync(join(asked, 'index.html')) : asked;
    return !/(^|[\\/])(\.|node_modules([\\/]|$))/.test(relative(realpathSync(folder), file));
  } catch {
    // No such file, or a path that cannot be decoded.
    return false;
  }
};

/** What the reference API has to know of a project. */
const knownToApi = ({ page, definitions }: BuildProject): Parameters<typeof createApi>[0]['project'] => {
  const { workspaceId, config, cohortCodes, platformCohorts, models, tpdProviders } = page;
  return { workspaceId, config, cohortCodes, platformCohorts, models, tpdProviders, queries: definitions };
};

export interface DevOptions {
  readonly folder: string;
  readonly file: string;
  readonly port: number;
  /** Builds the project, or only its queries. Rejects where more than queries has changed. */
  readonly build: (onlyQueries: boolean) => Promise<BuildProject>;
}

export interface Dev {
  /** The page, with the inspector. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Builds and serves a project, and builds it again on each save. Answers undefined where the project is wrong. */
export const startDev = async ({ folder, file, port, build }: DevOptions, io: Io): Promise<Dev | undefined> => {
  let api: ReturnType<typeof createApi> | undefined;
  const built = async (onlyQueries: boolean): Promise<boolean> => {
    const began = Date.now();
    const { project, findings } = await loaded(() => (onlyQueries ? queriesOrAll(build) : build(false)));
    sayFindings(findings, io);
    if (project === undefined) return false;
    api = createApi({ project: knownToApi(project) });
    io.out(`Built in ${Date.now() - began} ms`);
    return true;
  };
  if (!(await built(false))) return undefined;
  const { port: taken, close } = await listen(
    siteOf(folder, () => api!),
    port,
  );
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve(true);
  // The folder, because some editors put a new file in the place of the old one.
  const watcher = watch(dirname(file), (_, name) => {
    if (name === null || !isSource(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last
        .then(() => built(true))
        .catch((error: unknown) => {
          io.err(error instanceof Error ? error.message : String(error));
          return false;
        });
    }, quiet);
  });
  return {
    address: `http://localhost:${taken}/?__permutive.inspector=true`,
    close: async () => {
      clearTimeout(timer);
      watcher.close();
      await last;
      await close();
    },
  };
};

/** A file that a definition may import. */
const isSource = (name: string): boolean => /\.(ts|m?js|json)$/.test(name) && !/^package\b/.test(name);

/** Builds it all where the queries alone are not enough. */
const queriesOrAll = async (build: DevOptions['build']): Promise<BuildProject> => {
  try {
    return await build(true);
  } catch (error) {
    if (error instanceof ProjectError) throw error;
    return build(false);
  }
};

/** Serves the publisher's page with the present definition. */
export const dev = command(
  {
    usage: '[project] [--port PORT] [--addon FILE|PACKAGE]…',
    summary:
      'Builds into dist, serves index.html with the bundle and the reference API on this machine, and builds again on each save. Ctrl-C ends it.',
    options: { port: { type: 'string', default: '8080' }, addon: addonOption },
    operands: [0, 1],
  },
  async ({ values, positionals }, io) => {
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new WrongCall(`--port ${values.port}: expected the number of a port`);
    const file = definitionFile(positionals[0], io);
    if (!hasTools(io)) return 2;
    const order = {
      file,
      out: resolve(io.cwd, 'dist'),
      addons: await addonFiles(values.addon, io),
      names: 'all',
    } as const;
    const running = await startDev(
      { folder: io.cwd, file, port, build: (onlyQueries) => buildProject({ ...order, onlyQueries }, io) },
      io,
    );
    if (running === undefined) return 1;
    io.out(`Open ${running.address}`);
    await new Promise((done) => process.once('SIGINT', done).once('SIGTERM', done));
    await running.close();
    return 0;
  },
);
