import { gzipSync } from 'node:zlib';

import { called, folderWith } from './support/called';

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
/** As a file's name has it. */
const hash = '0123456789abcdef';
const bundle = {
  v: 1,
  id,
  seed: 0,
  queries: [
    { id: '1', q: { event: 'Pageview' } },
    { id: '2', q: { event: ['A', 'B', 'C', 'D'] } },
  ],
};
const queries = `self.permutiveQueries=${JSON.stringify({ bundle })}`;
const files = {
  [`dist/${id}-web.js`]: 'page();'.repeat(100),
  [`dist/${hash}.${id}-web.js`]: 'page();'.repeat(100),
  [`dist/${id}-web.deferred.${hash}.js`]: 'deferred();',
  [`dist/${id}-web.worker.queries.${hash}.js`]: queries,
  [`dist/${id}-web.cohorts.${hash}.json`]: '{}',
  [`dist/${id}-companion.js`]: 'companion()',
  [`dist/${id}-head.html`]: '<script>',
  'dist/integrity.json': '[]',
  'dist/THIRD-PARTY-NOTICES.txt': '',
  'dist/other.js': 'of the publisher',
  [`dist/v20.40.0/${id}-web.js`]: 'page();',
  [`dist/v20.40.0/${id}-web.worker.queries.${hash}.js`]: queries,
  'dist/v20.40.0/integrity.json': '[]',
};

describe('sizes', () => {
  it('lists the files of the build, and what each cohort adds', async () => {
    const { code, out } = await called(folderWith(files), 'sizes', '--json');
    expect(code).toBe(0);
    const { files: found, cohorts } = JSON.parse(out) as {
      readonly files: readonly { readonly file: string; readonly bytes: number; readonly gzip: number }[];
      readonly cohorts: readonly { readonly id: string; readonly bytes: number }[];
    };
    expect(found.map(({ file }) => file)).not.toContain('other.js');
    expect(found.find(({ file }) => file === `${id}-web.js`)).toMatchObject({
      bytes: 700,
      gzip: gzipSync('page();'.repeat(100), { level: 9 }).length,
    });
    expect(cohorts).toEqual([
      { id: '2', bytes: JSON.stringify(bundle.queries[1]).length + 1, gzip: expect.any(Number) as number },
      { id: '1', bytes: JSON.stringify(bundle.queries[0]).length + 1, gzip: expect.any(Number) as number },
    ]);
  });

  it('sums what a page loads in each kind of visit, of the first project of the folder', async () => {
    const other = '8c9e6679-7425-40de-944b-e07fc1f90ae7';
    const folder = folderWith({ ...files, [`dist/0.${other}-web.js`]: '', [`dist/${other}-web.js`]: '' });
    const { out } = await called(folder, 'sizes', '--json');
    const { files: weighed, visits } = JSON.parse(out) as Record<
      'files' | 'visits',
      readonly Readonly<Record<string, unknown>>[]
    >;
    const sumOf = (parts: readonly string[], unit: string): number =>
      parts.reduce((sum, part) => sum + Number(weighed.find(({ file }) => file === `${id}-web${part}`)?.[unit]), 0);
    const loaded = (visit: string, parts: readonly string[]) => ({
      visit,
      files: parts.length,
      bytes: sumOf(parts, 'bytes'),
      gzip: sumOf(parts, 'gzip'),
      brotli: sumOf(parts, 'brotli'),
    });
    const [deferred, definitions] = [`.deferred.${hash}.js`, `.worker.queries.${hash}.js`];
    expect(visits).toEqual([
      loaded('unasked', ['.js']),
      // This build lacks other parts.
      loaded('refusing', ['.js']),
      loaded('first', ['.js', deferred, definitions]),
      loaded('later', ['.js']),
      loaded('published', ['.js', definitions]),
    ]);
  });

  it('prints a table', async () => {
    const { out } = await called(folderWith(files), 'sizes', 'dist');
    expect(out).toMatch(/^file +bytes +gzip +brotli$/m);
    expect(out).toMatch(/^visit +files +bytes +gzip +brotli$/m);
    expect(out).toMatch(/^cohort +bytes +gzip$/m);
  });

  it('asks for a build', async () => {
    expect(await called(folderWith(), 'sizes')).toMatchObject({ code: 2, out: '' });
  });
});

describe('publish', () => {
  it('lists the files in the order of their upload: what a file refers to comes before it', async () => {
    const { code, out } = await called(folderWith(files), 'publish', '--dry-run', '--json');
    expect(code).toBe(0);
    const { uploads, rollback, headers } = JSON.parse(out) as {
      readonly uploads: readonly Readonly<Record<'file' | 'contentType' | 'cacheControl', string>>[];
      readonly rollback: string | null;
      readonly headers: Readonly<Record<string, string>>;
    };
    expect(uploads.map(({ file }) => file)).toEqual([
      `v20.40.0/${id}-web.worker.queries.${hash}.js`,
      `v20.40.0/${id}-web.js`,
      'v20.40.0/integrity.json',
      `${hash}.${id}-web.js`,
      `${id}-web.cohorts.${hash}.json`,
      `${id}-web.deferred.${hash}.js`,
      `${id}-web.worker.queries.${hash}.js`,
      'THIRD-PARTY-NOTICES.txt',
      `${id}-web.js`,
      'integrity.json',
    ]);
    const of = (file: string): unknown => uploads.find((upload) => upload.file === file);
    for (const fixed of [`${hash}.${id}-web.js`, `${id}-web.deferred.${hash}.js`, `${id}-web.cohorts.${hash}.json`])
      expect(of(fixed)).toMatchObject({ cacheControl: 'public, max-age=31536000, immutable' });
    for (const changing of [`${id}-web.js`, `v20.40.0/${id}-web.js`])
      expect(of(changing)).toMatchObject({
        contentType: 'text/javascript; charset=utf-8',
        cacheControl: 'public, max-age=300, stale-while-revalidate=3600',
      });
    expect(of('integrity.json')).toMatchObject({ cacheControl: 'no-cache' });
    expect(of('THIRD-PARTY-NOTICES.txt')).toMatchObject({
      cacheControl: 'public, max-age=3600, stale-while-revalidate=86400',
    });
    expect(of(`${id}-web.cohorts.${hash}.json`)).toMatchObject({ contentType: 'application/json' });
    expect(of('THIRD-PARTY-NOTICES.txt')).toMatchObject({ contentType: 'text/plain; charset=utf-8' });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(rollback).toBeNull();
  });

  it('rolls back to the latest of the other versions', async () => {
    const folder = folderWith({ ...files, 'dist/v20.9.1/a': '', 'dist/v20.10.0/a': '' });
    const { out } = await called(folder, 'publish', '--dry-run');
    expect(out).toContain('Rollback: copy the files of v20.10.0/ over');
    expect(out).toContain(
      `Not uploaded, because pages have their text in the head: ${id}-companion.js, ${id}-head.html`,
    );
  });

  it('only plans', async () => {
    expect(await called(folderWith(files), 'publish')).toMatchObject({
      code: 2,
      err: expect.stringContaining('it only plans') as string,
    });
  });
});
