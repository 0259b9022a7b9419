import { config } from 'rxjs';

import { hashes } from './bundleHashes';
import { readTrusted } from './engine/cohortEngine';
import { reportMessage, serve } from './engineHost/serve';
import { type BundleFile, bundleFiles } from './platform/bundleFiles';
import { loadOnce, receiveChunks } from './platform/chunks';

// The source of the worker has left these here (`platform/openWorker.ts`).
const { permutiveLoad, permutiveEngine } = self as unknown as {
  readonly permutiveLoad: (files: readonly BundleFile[]) => Promise<void>;
  readonly permutiveEngine: BundleFile;
};
// The names of the worker's parts begin with its own, without the hash in it.
const fileOf = bundleFiles(
  permutiveEngine.url.replace(/\.[^.]*\.js$/, ''),
  { isPinned: permutiveEngine.integrity !== '' },
  '',
  hashes,
);
receiveChunks('permutiveChunks', (modules) => void Object.assign(__webpack_modules__, modules));
__webpack_chunk_load__ = loadOnce((name) => permutiveLoad([fileOf(name)]));

// An unhandled error would reach the page's onerror. The worker posts the error to the page as a report instead.
config.onUnhandledError = (error) => self.postMessage(reportMessage('Exception in the worker', error));
serve(
  self,
  {
    services: () => import(/* webpackChunkName: "services" */ './engineHost/services'),
    lift: () => import(/* webpackChunkName: "lift" */ './engineHost/runCloudLift'),
    explanations: () => import(/* webpackChunkName: "explanations" */ './engineHost/explanations'),
  },
  readTrusted,
);
