import type { Definition } from '../../src/engine/language/language';
import { project } from '../project/project';

/** Queries to begin with: those of the sample project. */
export interface Sample {
  readonly id: string;
  readonly name: string;
  readonly definition: Definition;
}

export const samples: readonly Sample[] = project.queries.map((query) => ({
  id: query.id,
  name: query.name,
  definition: { id: query.id, q: query.q, ...(query.sub && { sub: query.sub }) },
}));
