import { config } from 'rxjs';

import { readTrusted } from './engine/cohortEngine';
import { reportMessage, serve } from './engineHost/serve';
import { loadOnce, receiveChunks } from './platform/chunks';

// The source of the worker has left this function here.
const { permutiveLoad } = self as unknown as {
  readonly permutiveLoad: (names: readonly string[]) => Promise<void>;
};
receiveChunks('permutiveChunks', (modules) => void Object.assign(__webpack_modules__, modules));
__webpack_chunk_load__ = loadOnce((name) => permutiveLoad([name]));

// An unhandled error would reach the page's onerror. The worker posts the error to the page as a report instead.
config.onUnhandledError = (error) => self.postMessage(reportMessage('Exception in the worker', error));
serve(self, () => import(/* webpackChunkName: "services" */ './engineHost/services'), readTrusted);
