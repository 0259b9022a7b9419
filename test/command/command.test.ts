import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { h53 } from '../../src/engine/language/murmur';
import { decodeModels, type LookalikeModel } from '../../src/engine/models/lookalike';
import { called, definition, folderWith } from './support/called';

describe('the command', () => {
  it('lists what there is, and ends with 2 where nothing is asked for', async () => {
    const { code, out } = await called('/', '--help');
    expect(code).toBe(0);
    for (const name of [
      'init',
      'check',
      'build',
      'dev',
      'types',
      'import',
      'hash',
      'models',
      'sizes',
      'diff',
      'publish',
    ])
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(await called('/')).toEqual({ code: 2, out, err: '' });
  });

  it('says what there is in place of an unknown name, also of a name that objects have', async () => {
    for (const name of ['atelier', 'constructor'])
      expect(await called('/', name)).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(new RegExp(`^There is no ${name}\\. There are: init, check, build, `)) as string,
      });
  });

  it.each([
    [['check', '--jsn'], "Unknown option '--jsn'"],
    [['check', 'a.json', 'b.json'], 'unexpected argument b.json'],
    [['hash'], 'an argument is missing'],
    [['check', 'a.json'], 'there is no file a.json'],
    [['check'], 'there is no project.ts and no project.json here'],
    [['studio', '--port', '70000'], '--port 70000: expected the number of a port'],
    [['studio', '--data', 'gone.ndjson'], 'there is no project.ts and no project.json here'],
    [['studio', '--nats', 'http://127.0.0.1:4222'], '--nats http://127.0.0.1:4222: expected nats://HOST:PORT'],
    [['studio', '--nats', 'nats://a:4222,'], '--nats nats://a:4222,: expected nats://HOST:PORT'],
    [['studio', '--nats', 'nats://a:none'], '--nats nats://a:none: expected nats://HOST:PORT'],
    [['studio', '--nats', 'nats://user:word@a:4222,tls://b,c:1'], 'there is no project.ts and no project.json here'],
    [['doctor', 'front page'], 'Expected the address of a page'],
  ])('refuses %j with its usage', async (args, message) => {
    const { code, err } = await called(folderWith(), ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(`usage: permutive-web-sdk ${args[0]} `);
  });

  it('prints the usage of one', async () => {
    expect(await called('/', 'check', '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('usage: permutive-web-sdk check [project] [--json]') as string,
    });
  });
});

describe('check', () => {
  it('takes the definition of the folder', async () => {
    const folder = folderWith({ 'project.json': definition() });
    expect(await called(folder, 'check')).toEqual({ code: 0, out: '2 cohorts, 0 warnings\n', err: '' });
  });

  it('names what is wrong, one a line, and ends with 1', async () => {
    const wrong = { queries: [{ id: '1', q: { event: 'Pageview', is: { gte: 'two' } } }], addons: { webb: {} } };
    const folder = folderWith({ 'other.json': definition(wrong) });
    const { code, err } = await called(folder, 'check', 'other.json');
    expect(code).toBe(1);
    expect(err).toMatch(/^queries\/0\/q\/is/m);
    expect(err).toMatch(/^addons\/webb: /m);
  });

  it('refuses options of Studio that name no file', async () => {
    const folder = folderWith({ 'project.json': definition() });
    for (const option of ['data', 'published'])
      expect(await called(folder, 'studio', `--${option}`, 'gone')).toMatchObject({
        code: 2,
        err: expect.stringContaining(`--${option}: there is no file gone`) as string,
      });
  });

  it('runs the examples that are kept with the cohorts, and ends with 1 where one does not hold', async () => {
    const view = (time: number) => ({ name: 'Pageview', time, properties: { article: { section: 'sport' } } });
    const example = (name: string, isMember: boolean, ...times: readonly number[]) => ({
      name,
      at: 1e12,
      isMember,
      events: times.map(view),
    });
    const right = [example('reads twice', true, 1, 2), example('reads once', false, 1)];
    const files = { 'project.json': definition(), 'examples/20101.json': JSON.stringify(right) };
    expect(await called(folderWith(files), 'check')).toEqual({ code: 0, out: '2 cohorts, 0 warnings\n', err: '' });
    const wrong = { ...files, 'examples/20101.json': JSON.stringify([...right, example('reads never', true)]) };
    const { code, err } = await called(folderWith(wrong), 'check');
    expect(code).toBe(1);
    expect(err).toContain('examples/20101/reads never: the visitor is not in the cohort at 2001-09-09T01:46:40.000Z');
    expect(err).not.toContain('reads twice');
    const broken = { ...files, 'examples/20101.json': '[{ "name": 1 }]', 'examples/30000.json': '[]' };
    const unread = await called(folderWith(broken), 'check');
    expect(unread.code).toBe(1);
    expect(unread.err).toContain('examples/20101/0/name: expected string');
    expect(unread.err).toContain('examples/30000: no cohort has this id, so these examples test nothing');
  });

  it('prints findings as data', async () => {
    const folder = folderWith({ 'project.json': definition({ addons: { webb: {} } }) });
    const { code, out } = await called(folder, 'check', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ path: 'addons/webb', severity: 'error', message: expect.any(String) as string }),
    );
  });
});

describe('types', () => {
  it('writes the types, and the ids of cohorts', async () => {
    const folder = folderWith({ 'project.json': definition() });
    expect(await called(folder, 'types')).toEqual({ code: 0, out: 'permutive.d.ts: 2 queries\n', err: '' });
    expect(readFileSync(join(folder, 'permutive.d.ts'), 'utf8')).toContain('readonly "20101": true;');
    expect(readFileSync(join(folder, 'permutive.js'), 'utf8')).toContain('"Sport fans": "20101"');
  });

  it('refuses another ending, and a wrong definition', async () => {
    const folder = folderWith({ 'project.json': definition({ workspaceId: 'mine' }) });
    expect(await called(folder, 'types', '--out', 'x.ts')).toMatchObject({ code: 2 });
    expect(await called(folder, 'types')).toMatchObject({
      code: 1,
      err: expect.stringContaining('workspaceId') as string,
    });
  });
});

describe('hash', () => {
  it('gives the hashes of the reference vectors (engine.md §2), with the longest run', async () => {
    const { code, out } = await called('/', 'hash', 'ＦｉｎＴｅｃｈ', 'Ünïcode', 'remote  work ');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      words: [802330961675304, 4878022700063606, 7782761718040774],
      hashed: true,
      grams: 2,
    });
  });

  it('takes the lines of a file, each once', async () => {
    const folder = folderWith({ 'words.txt': 'Real Estate\r\n\r\nreal estate\nGold\n' });
    const { out } = await called(folder, 'hash', 'words.txt', '--kind', 'in');
    expect(JSON.parse(out)).toEqual({
      in: [h53('real estate', 0), h53('gold', 0)].sort((a, b) => a - b),
      hashed: true,
      grams: 1,
    });
  });

  it.each([
    ['urlPath', '/Markets/Metals/', 'markets/metals', 2],
    ['domain', 'https://News.Example/today', 'news.example', 1],
    ['under', '/Sport//Tennis/', 'sport/tennis', 1],
  ])('hashes operands of %s as the engine compares them', async (kind, operand, form, grams) => {
    const { out } = await called('/', 'hash', operand, '--kind', kind);
    expect(JSON.parse(out)).toEqual({ [kind]: [h53(form, 0)], hashed: true, grams });
  });

  it('keeps the fold beside the hashes', async () => {
    const { out } = await called('/', 'hash', 'Café', '--fold', 'accent');
    expect(JSON.parse(out)).toEqual({ words: [h53('cafe', 0)], hashed: true, grams: 1, fold: 'accent' });
  });

  it('refuses runs that the engine does not look for, and unknown kinds', async () => {
    expect(await called('/', 'hash', 'a b c d e f g h i')).toMatchObject({ code: 1, out: '' });
    expect(await called('/', 'hash', 'a', '--kind', 'word')).toMatchObject({ code: 2 });
    expect(await called('/', 'hash', 'a', '--fold', 'none')).toMatchObject({ code: 2 });
  });
});

describe('models', () => {
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

  it('encodes weights as the engine decodes them', async () => {
    const folder = folderWith({ 'm.csv': `model,feature,weight\n${id},const,-1\n${id},"1001",0.5\n${id},1002,2\n` });
    const { code, out } = await called(folder, 'models', 'm.csv', '--out', 'm.bin');
    expect([code, out]).toEqual([0, expect.stringMatching(/^m\.bin: 1 models, \d+ bytes$/m)]);
    const file = readFileSync(join(folder, 'm.bin'));
    const [model] = decodeModels(new Uint8Array(file).buffer) as readonly LookalikeModel[];
    expect(model?.id).toBe(id);
    const { min, max, weights } = model!;
    const weightOf = (feature: string) => min + (parseInt(weights.get(feature)!, 36) * (max - min)) / (2 ** 16 - 1);
    expect(['const', '1001', '1002'].map((feature) => Number(weightOf(feature).toFixed(3)))).toEqual([-1, 0.5, 2]);
  });

  it('names each line that is wrong, and writes nothing', async () => {
    const folder = folderWith({ 'm.csv': `mine,a,1\n${id},a,much\n${id},,1\n${id},b,1\n${id},b,2\n` });
    const { code, err } = await called(folder, 'models', 'm.csv', '--out', 'm.bin');
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^line 1: mine is no id/),
      expect.stringMatching(/^line 2: much is no number/),
      expect.stringMatching(/^line 3: the feature is missing/),
      expect.stringMatching(/^line 5: b is there twice/),
      expect.stringMatching(new RegExp(`^${id}: the intercept is missing`)),
    ]);
    expect(() => readFileSync(join(folder, 'm.bin'))).toThrow('ENOENT');
  });

  it('asks for a file to write', async () => {
    expect(await called('/', 'models', 'm.csv')).toMatchObject({ code: 2 });
    expect(await called('/', 'models', 'm.csv', '--out', 'x', '--precision', '33')).toMatchObject({ code: 2 });
    expect(await called('/', 'models', 'nowhere.csv', '--out', 'x')).toMatchObject({ code: 2 });
  });
});

describe('import', () => {
  it('names what cannot be translated, and ends with 1', async () => {
    const folder = folderWith({ 'cohorts.json': '[{"id":"x"}]', 'no.json': 'x' });
    const { code, out, err } = await called(folder, 'import', 'cohorts.json');
    expect([code, JSON.parse(out)]).toEqual([1, []]);
    expect(err).toMatch(/^error 0\//);
    expect(await called(folder, 'import', 'no.json')).toMatchObject({ code: 1, out: '' });
  });
});
