// Parts of RxJS that the SDK does not use, in place of RxJS's own modules of these names: streams made with a scheduler
// (`of(value, scheduler)`), async iterables, readable streams, errors that `subscribe` throws, and a list of
// what a stream can be made of. Without them, the page script is 520 bytes gzip
// smaller, and the worker 540.
export const scheduled = () => {
  throw new Error('Streams with a scheduler are not built in');
};
export const isAsyncIterable = () => false;
export const isReadableStreamLike = () => false;
export const readableStreamLikeToAsyncGenerator = () => undefined;
export const errorContext = (action) => action();
export const captureError = () => undefined;
export const createInvalidObservableTypeError = (given) =>
  new TypeError(`You provided ${typeof given} where a stream was expected`);
