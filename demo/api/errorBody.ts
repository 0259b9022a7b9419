import { randomUUID } from 'node:crypto';

const codes: Readonly<Record<number, number>> = { 400: 1000, 404: 1004, 413: 1013 };

/** Errors as the public API words them: its own code beside the status. */
export const errorBody = (status: number, message: string): object => ({
  request_id: randomUUID(),
  error: { status, code: codes[status] ?? status, message },
});
