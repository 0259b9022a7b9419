import {
  changed,
  draftOf,
  draftOfStored,
  onVersion,
  redone,
  standingOf,
  storedText,
  undone,
} from '../../studio/page/state/drafts';
import type { StudioProject } from '../../studio/protocol';
import { memoryServer } from './support/memoryServer';

const cohort = { id: '1', q: { event: 'Pageview' } } as const;
const other = { id: '1', q: { event: 'LinkClick' } } as const;
const projectWith = (definition: typeof cohort | typeof other): StudioProject => memoryServer([definition]).project();

describe('A draft', () => {
  test('goes back and forward step by step; typing at one place is one step', () => {
    let draft = draftOf(cohort, '1');
    draft = changed(draft, 'a', 'text', 10_000);
    draft = changed(draft, 'ab', 'text', 10_500);
    draft = changed(draft, 'ab!', 'q/event', 10_600);
    draft = changed(draft, 'ab!c', 'text', 30_000);
    draft = changed(draft, 'ab!cd', 'text', 32_000);
    const back = [draft];
    while (back.at(-1)!.past.length > 0) back.push(undone(back.at(-1)!, 0));
    expect(back.map(({ text }) => text)).toEqual(['ab!cd', 'ab!c', 'ab!', 'ab', draftOf(cohort, '1').text]);
    let forward = back.at(-1)!;
    while (forward.future.length > 0) forward = redone(forward, 0);
    expect(forward.text).toBe('ab!cd');
    expect(undone(draftOf(cohort, '1'), 0)).toEqual(draftOf(cohort, '1'));
  });

  test('forgets the steps forward when something else is written', () => {
    const draft = changed(undone(changed(draftOf(cohort, '1'), 'a', 'text', 1), 2), 'b', 'text', 3);
    expect(redone(draft, 4)).toBe(draft);
  });

  test('stands to the file by what is said, not by how it is written', () => {
    const project = projectWith(cohort);
    const draft = draftOf(cohort, '1');
    expect(standingOf(project, '1', draft)).toBe('unchanged');
    expect(standingOf(project, '1', { ...draft, text: JSON.stringify(cohort) })).toBe('unchanged');
    expect(standingOf(project, '1', { ...draft, text: '{ "id": "1", ' })).toBe('changed');
  });

  test('is in conflict with a file that has another cohort meanwhile, until the person keeps it', () => {
    const draft = changed(draftOf(cohort, '1'), '{ "id": "1", "q": { "const": true } }', 'text', 1);
    const project = projectWith(other);
    expect(standingOf(project, '1', draft)).toBe('conflict');
    expect(standingOf(project, '1', onVersion(project, '1', draft))).toBe('changed');
    expect(onVersion(project, '1', draft).text).toBe(draft.text);
    // Both have made the same change.
    expect(standingOf(project, '1', { ...draft, text: JSON.stringify(other) })).toBe('unchanged');
  });

  test('is stored with its steps; what cannot be read is no draft', () => {
    const two = changed(changed(draftOf(cohort, '7'), 'a', 'text', 5), 'b', 'name', 6);
    const draft = undone(two, 7);
    expect([draft.past.length, draft.future.length]).toEqual([1, 1]);
    expect(draftOfStored(storedText(draft))).toEqual(draft);
    expect(draftOfStored('{"text":"a","base":"","version":"1","at":1}')).toMatchObject({ past: [], future: [] });
    for (const stored of [null, '', '{', '7', 'null', '{"text":1}']) expect(draftOfStored(stored)).toBeUndefined();
  });

  test('is stored with the nearest steps of a long history', () => {
    let draft = draftOf(cohort, '7');
    const text = (i: number): string => `${i} `.padEnd(2400, '-');
    for (let i = 0; i < 20; i++) draft = changed(draft, text(i), `place ${i}`, i);
    const stored = draftOfStored(storedText(draft));
    expect(stored?.past).toEqual(Array.from({ length: 8 }, (_, i) => text(11 + i)));
    for (let i = 0; i < 12; i++) draft = undone(draft, 100);
    expect(draftOfStored(storedText(draft))?.future).toEqual(Array.from({ length: 8 }, (_, i) => text(8 + i)));
  });
});
