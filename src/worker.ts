import { config } from 'rxjs';

import { serve } from './engineHost/serve';

// By itself webpack would load chunks from beside this worker's address, which is a Blob's.
__webpack_public_path__ = (self as unknown as { readonly permutiveBase: string }).permutiveBase;

// An unhandled error would reach the page's onerror. It is sent as a report instead.
config.onUnhandledError = (error) =>
  self.postMessage({
    type: 'report',
    message: 'Exception in the worker',
    cause: error instanceof Error ? error.message : '',
  });
serve(self, () => import(/* webpackChunkName: "services" */ './engineHost/services'));
