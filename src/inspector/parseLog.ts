import { type Codec, DecodeError, readAs } from '../codecs/codecs';
import { type Json, NoJson } from '../hardening/json';
import { LogHeader, LogLine } from './logEntry';

/** A log as it was recorded. */
export interface ParsedLog {
  readonly header: LogHeader;
  readonly lines: readonly LogLine[];
}

/** Reads a log. Throws an error that names the first line that is wrong, and what was expected there. */
export const parseLog = (text: string, json: Json): ParsedLog => {
  const [first = '', ...others] = text.split('\n');
  return {
    header: decodeLine(LogHeader, first, 1, json),
    lines: others.flatMap((line, i) => (line === '' ? [] : [decodeLine(LogLine, line, i + 2, json)])),
  };
};

/** Why a log cannot be replayed with the project of this workspace, and what to do; undefined where it can. */
export const obstacleOf = ({ project, complete, dropped }: LogHeader, workspaceId: string): string | undefined => {
  if (project !== workspaceId) return `The log is of project ${project}, and the definition of ${workspaceId}.`;
  if (dropped > 0 && complete)
    return `The log had no more room, and has lost its first ${dropped} lines. Record a shorter visit.`;
  const late = 'The log began when the page was running already, so it has not what the SDK had read before.';
  return complete ? undefined : `${late} Open the page with ?__permutive.inspector=true, and record it again.`;
};

const decodeLine = <A>(codec: Codec<A>, line: string, number: number, json: Json): A => {
  const parsed = json.parse(line);
  const read = parsed === NoJson ? new Error('(root): expected JSON') : readAs(codec, parsed);
  if (read instanceof DecodeError || read instanceof Error)
    throw new Error(`Line ${number} of the log: ${read.message}`);
  return read;
};
