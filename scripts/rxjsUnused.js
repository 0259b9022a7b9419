// Parts of RxJS that the SDK does not use, in place of RxJS's own modules of these names: streams made with a scheduler
// (`of(value, scheduler)`), async iterables, readable streams, and errors that `subscribe` throws. Without them, page
// script and worker are 300 to 500 bytes gzip smaller.
export const scheduled = () => {
  throw new Error('Streams with a scheduler are not built in');
};
export const isAsyncIterable = () => false;
export const isReadableStreamLike = () => false;
export const readableStreamLikeToAsyncGenerator = () => undefined;
export const errorContext = (action) => action();
export const captureError = () => undefined;
