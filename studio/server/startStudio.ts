import { randomBytes } from 'node:crypto';

import { listen } from '../../demo/api/listen';
import type { BuildProject } from '../../project/readProject';
import { pageFolder } from '../pageFolder';
import type { Published } from '../protocol';
import { studioApp } from './app';
import { openProjectFile } from './projectFile';
import { openPublications } from './publishing/publication';
import { openPool } from './sizing/pool';
import { studioOf } from './studio';
import { openVisits } from './visits/openVisits';

export interface StudioOptions {
  /** The publisher's folder: paths are shown from there, and `dist` and `.permutive` are in it. */
  readonly folder: string;
  /** The file of the definition. */
  readonly file: string;
  /** 0 is any free port. */
  readonly port: number;
  /** The folder of the page's files; by default that of `studio/build.ts`, or of the package. */
  readonly page?: string;
  /** A file of visits. */
  readonly data?: string | undefined;
  /** The address of a NATS server that has the collector's stream. */
  readonly nats?: string | undefined;
  /** A definition that is taken as published, in place of the one that Studio has published. */
  readonly published?: string | undefined;
  /** Names of addons that are built in beside those of the list. */
  readonly outside?: readonly string[];
  /** Builds the files of the project into a folder. Without it, nothing can be published. */
  readonly build?: (out: string) => Promise<BuildProject>;
  /** The files of a built folder in the order of their upload. */
  readonly plan?: (folder: string) => Published['files'];
  /** By default a random one. */
  readonly token?: string;
  readonly report?: (text: string) => void;
}

export interface RunningStudio {
  /** The page, with the token in its fragment, which browsers send to no server. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Serves Studio on this machine. */
export const startStudio = async (options: StudioOptions): Promise<RunningStudio> => {
  const { folder, file, outside = [], build, plan, report = () => undefined } = options;
  const token = options.token ?? randomBytes(32).toString('base64url');
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const projectFile = await openProjectFile(file, outside);
  const visits = openVisits({ data: options.data, nats: options.nats, onChange: changed });
  const pool = openPool();
  const builder = build && plan && { build, plan };
  const publications = openPublications({ folder, file: options.published, outside, builder });
  const unwatch = projectFile.onChange(changed);
  const studio = studioOf({ folder, file, projectFile, visits, pool, publications, onPublished: changed });
  // A count that comes first says what is wrong.
  studio.prepare().catch(() => undefined);
  const app = studioApp({
    studio,
    token,
    page: options.page ?? pageFolder(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    report: (error) => report(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  const { port, close } = await listen(app, options.port);
  return {
    address: `http://localhost:${port}/#token=${token}`,
    close: async () => {
      unwatch();
      projectFile.close();
      await Promise.all([close(), visits.close(), pool.close()]);
    },
  };
};
