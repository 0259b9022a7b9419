import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { play } from '../test/oneVisitor/play';
import { storyOf } from '../test/oneVisitor/steps';

// Plays the law of one visitor on many stories, a share of them on each processor: `npm run law -- [COUNT] [FIRST]`.
// `test/oneVisitor` plays fewer stories, and shrinks one that breaks the law.

const numberAt = (place: number, otherwise: number): number => Number(process.argv[place] ?? otherwise);
const [count, first] = [numberAt(2, 5000), numberAt(3, 1)];
/** Of a process that plays a share: which one, and how many there are; 0: this process starts them. */
const [place, shares] = [numberAt(4, 0), numberAt(5, 0)];

/** Plays this process's share; answers whether all its stories keep the law. */
const playShare = (): boolean => {
  let isKept = true;
  for (let seed = first + place; seed < first + count; seed += shares)
    for (const clause of new Set(play(storyOf(seed)).violations.map((found) => found.clause))) {
      console.log(`Seed ${seed} breaks the clause ${clause}`);
      isKept = false;
    }
  return isKept;
};

/** Plays a share in a process of its own; answers its exit code. */
const shareOf = (each: number, all: number): Promise<number | null> =>
  new Promise((resolve) => {
    const args = ['--import', 'tsx', fileURLToPath(import.meta.url), ...[count, first, each, all].map(String)];
    spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', resolve);
  });

if (shares > 0) process.exitCode = playShare() ? 0 : 1;
else {
  const all = availableParallelism();
  const codes = await Promise.all(Array.from({ length: all }, (_, each) => shareOf(each, all)));
  const isKept = codes.every((code) => code === 0);
  console.log(isKept ? `${count} stories keep the law` : 'The law is broken');
  process.exitCode = isKept ? 0 : 1;
}
