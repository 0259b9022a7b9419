import { datedChangelog, nextVersion, packedLines, stepsOf } from '../../scripts/release';

describe('nextVersion', () => {
  it.each([
    ['major', '21.0.0'],
    ['minor', '20.41.0'],
    ['patch', '20.40.8'],
    ['20.41.3', '20.41.3'],
  ])('knows %s', (wanted, next) => {
    expect(nextVersion('20.40.7', wanted)).toBe(next);
  });

  it.each(['20.40.7', '20.39.9', '19.50.0', 'next', '21', 'v21.0.0'])('refuses %s', (wanted) => {
    expect(() => nextVersion('20.40.7', wanted)).toThrow(wanted);
  });
});

describe('datedChangelog', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 1.0.0 (2026-01-02)\n\n- The first.\n';

  it('puts what is unreleased under the version and its date', () => {
    expect(datedChangelog(changelog, '1.1.0', '2026-03-04')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-03-04)\n\n- A change.\n\n## 1.0.0 (2026-01-02)\n\n- The first.\n',
    );
  });

  it('refuses a release without a change', () => {
    expect(() => datedChangelog(changelog.replace('- A change.\n', ''), '1.1.0', '2026-03-04')).toThrow('nothing');
    expect(() => datedChangelog('# Changelog\n', '1.1.0', '2026-03-04')).toThrow('nothing');
  });
});

describe('stepsOf', () => {
  it('builds, tests and packs in a dry run, and nothing else', () => {
    const done = stepsOf('1.1.0', '').filter(({ isHarmless }) => isHarmless);
    expect(done.map(({ what }) => what)).toEqual([
      'build and run all tests: npm run test:all',
      'build the version: npm run build',
      'pack: npm pack',
    ]);
  });

  it('builds once the version is set, and packs before it commits', () => {
    const steps = stepsOf('1.1.0', '').map(({ what }) => what.split(/[ :]/)[0]);
    expect(steps).toEqual(['check', 'build', 'set', 'date', 'build', 'pack', 'commit', 'tag']);
  });
});

describe('packedLines', () => {
  const answer = (...paths: readonly string[]): string =>
    JSON.stringify([
      { filename: 'sdk-1.tgz', size: 5, unpackedSize: 14, files: paths.map((path) => ({ path, size: 7 })) },
    ]);

  it('lists each file', () => {
    expect(packedLines(answer('README.md', 'dist/integrity.json'))).toEqual([
      'sdk-1.tgz: 5 bytes, 14 unpacked, 2 files',
      '        7 README.md',
      '        7 dist/integrity.json',
    ]);
  });

  it('refuses a package without a build', () => {
    expect(() => packedLines(answer('README.md'))).toThrow('no build');
  });
});
