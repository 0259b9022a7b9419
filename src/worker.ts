import { config } from 'rxjs';
import { serve } from './serve';

// webpack's own guess would be the Blob that started us.
__webpack_public_path__ = (self as unknown as { readonly permutiveBase: string }).permutiveBase;

// Errors of ours are told to the page by message, never by its onerror.
config.onUnhandledError = (error) => self.postMessage({ type: 'report', message: 'Exception in the worker', cause: error instanceof Error ? error.message : '' });
serve(self, () => import(/* webpackChunkName: "services" */ './host/services'));
