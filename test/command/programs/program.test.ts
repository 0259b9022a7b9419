import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileProgram } from '../../../command/programs/program';

const variable = 'PROGRAM_OF_THIS_TEST';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'permutive-program-'));
});
afterEach(() => {
  Reflect.deleteProperty(process.env, variable);
  rmSync(folder, { recursive: true, force: true });
});
const fileNamed = (name: string): string => {
  writeFileSync(join(folder, name), '');
  return join(folder, name);
};
const looked = (places: readonly string[], isFit?: (path: string) => boolean) =>
  fileProgram({ title: 'It', variable, places: () => places, debian: 'it', ...(isFit && { isFit }) });

describe('a program that is one file', () => {
  it('is the first of the usual places that has one', () => {
    const place = fileNamed('usual');
    const program = looked([join(folder, 'none'), place, fileNamed('later')]);
    expect([program.file(), program.lacks()]).toEqual([place, []]);
  });

  it('is missing where no place has one', () => {
    const program = looked([join(folder, 'none')]);
    expect([program.file(), program.lacks()]).toEqual([undefined, ['it']]);
  });

  it('is not one that is too old', () => {
    const [old, young] = [fileNamed('old'), fileNamed('young')];
    const isYoung = (path: string): boolean => path === young;
    expect(looked([old], isYoung).lacks()).toEqual(['it']);
    expect(looked([old, young], isYoung).file()).toBe(young);
  });

  it('is the one of its variable, before the usual places', () => {
    const named = fileNamed('named');
    process.env[variable] = named;
    expect(looked([fileNamed('usual')]).file()).toBe(named);
  });

  it('is missing where its variable names none, whatever the usual places have', () => {
    process.env[variable] = join(folder, 'none');
    expect(looked([fileNamed('usual')]).lacks()).toEqual(['it']);
  });

  it('is looked for in the usual places where its variable is empty', () => {
    process.env[variable] = '';
    const usual = fileNamed('usual');
    expect(looked([usual]).file()).toBe(usual);
  });

  it('is found once it has been installed', () => {
    const program = looked([join(folder, 'usual')]);
    expect(program.file()).toBeUndefined();
    const usual = fileNamed('usual');
    expect(program.file()).toBe(usual);
  });
});
