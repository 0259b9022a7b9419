import { openStage, type Stage } from './stage';
import { failedRequests, type Visitor } from './visitor';

/** Plays a visit whose requests may fail, on a stage of its own. No error may reach the page. */
export const onStage = async (play: (stage: Stage, visitor: Visitor) => Promise<void>): Promise<void> => {
  const stage = await openStage();
  try {
    const visitor = await stage.visitor({ expected: failedRequests });
    await play(stage, visitor);
    expect(visitor.errors).toEqual([]);
  } finally {
    await stage.close();
  }
};
