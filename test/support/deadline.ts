/**
 * Ends a test that waits for ever, and is longer than any wait inside one, so that such a wait says what it waits for.
 * No machine is so slow that a test which does its work comes near it.
 */
jest.setTimeout(180_000);
