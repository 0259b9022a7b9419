import { AskError } from '../../src/engineHost/ask';
import type { Failure } from '../../src/model/engineQuestions';

/** What a question of the engine fails with. */
export const askError = (kind: Failure['kind'], message: string, status: number | null = null): AskError =>
  new AskError({ kind, status, message });

/** The server answered with that status. */
export const statusError = (status: number): AskError =>
  askError('status', `Failed ajax request. Status code was ${status}. No`, status);
