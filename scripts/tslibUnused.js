// RxJS imports these from tslib for async iterables and readable streams. The SDK uses neither, so they are replaced by
// a function that throws, which saves half a kilobyte.
const unused = () => {
  throw new Error('Async iterables are not built in');
};
export const __awaiter = unused;
export const __asyncValues = unused;
export const __asyncGenerator = unused;
export const __await = unused;
