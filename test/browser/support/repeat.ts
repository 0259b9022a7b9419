// A browser beside others on two cores is sometimes slower than a test waits for, so a test that fails is run a second
// time, after the others of its file. `npm test` names the tests that passed only then. Tests that count losses are not
// run again, because one loss in a hundred runs is what they look for: each of their files says `jest.retryTimes(0)`.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
