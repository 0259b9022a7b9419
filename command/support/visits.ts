import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { visitLine,type Visits } from '../../project/visits/visits';
import type { EngineEvent } from '../../src/engine/engine';
import { WrongCall } from '../command';

/**
 * Reads visits: a recording of the inspector, which is of one visitor, or a file with one event a line, whose visitors
 * are told by `user_id`. Throws where there is no such file, or where the file has no visits.
 */
export const readVisits = (given: string, cwd: string): Visits => {
  const file = resolve(cwd, given);
  if (!existsSync(file)) throw new WrongCall(`there is no file ${given}`);
  const visits = new Map<string, EngineEvent[]>();
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((text, i) => {
      if (text.trim() === '') return;
      const line = visitLine(text);
      if (line.type === 'wrong') throw new WrongCall(`line ${i + 1} ${line.wrong}`);
      if (line.type === 'other') return;
      const events = visits.get(line.visitor);
      if (events === undefined) visits.set(line.visitor, [line.event]);
      else events.push(line.event);
    });
  if (visits.size === 0) throw new WrongCall('the visits have no event');
  return new Map([...visits].map(([visitor, events]) => [visitor, events.sort((a, b) => a.time - b.time)]));
};
