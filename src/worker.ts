import { config } from 'rxjs';
import { serve } from './serve';

// Errors of ours are told to the page by message, never by its onerror.
config.onUnhandledError = (error) => self.postMessage({ type: 'report', message: 'Exception in the worker', cause: error instanceof Error ? error.message : '' });
serve(self);
