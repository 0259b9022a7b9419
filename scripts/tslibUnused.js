// RxJS takes these from tslib for async iterables and readable streams, which we give it none of: half a kilobyte less.
const unused = () => {
  throw new Error('Async iterables are not built in');
};
export const __awaiter = unused;
export const __asyncValues = unused;
export const __asyncGenerator = unused;
export const __await = unused;
