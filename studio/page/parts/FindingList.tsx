import type { ReactElement } from 'react';

import type { ProjectFinding } from '../../../project/check/finding';
import { useStudioState } from './studioContext';

/** What the check says of the file: where, what is wrong, and what to do. Shows nothing where there are no findings. */
export const FindingList = ({ findings }: { readonly findings: readonly ProjectFinding[] }): ReactElement | null => {
  const { project } = useStudioState();
  return findings.length === 0 ? null : (
    <ul className="findings">
      {findings.map(({ path, severity, message, fix, line }) => (
        <li key={`${path} ${message}`} className={severity}>
          <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong> <code>{path || project.file}</code>
          {line !== undefined && `, line ${line}`}: {message}
          {fix !== '' && ` — ${fix}`}
        </li>
      ))}
    </ul>
  );
};
