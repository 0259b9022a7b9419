import { config } from 'rxjs';

import { serve } from './engineHost/serve';

// webpack would load chunks from beside the worker's own address, which is a Blob. The Blob's source has left the
// address of the bundle here.
__webpack_public_path__ = (self as unknown as { readonly permutiveBase: string }).permutiveBase;

// An unhandled error would reach the page's onerror. It is posted to the page as a report instead.
config.onUnhandledError = (error) =>
  self.postMessage({
    type: 'report',
    message: 'Exception in the worker',
    cause: error instanceof Error ? error.message : '',
  });
serve(self, () => import(/* webpackChunkName: "services" */ './engineHost/services'));
