import { datedChangelog, nextVersion } from '../../scripts/release';

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
