import { type ReactElement, useState } from 'react';

import type { PanelProps } from './Inspector';

/** What `permutive.doctor()` finds, the worst first, each with what to do about it. */
export const HealthPanel = ({ doctor }: PanelProps): ReactElement => {
  const [findings, setFindings] = useState(doctor);
  return (
    <>
      <div className="tools">
        <button type="button" onClick={() => setFindings(doctor())}>
          Look again
        </button>
      </div>
      <ul className="plain">
        {findings.map(({ finding, severity, where, fix }) => (
          <li key={`${where} ${finding}`}>
            <span className={severity === 'info' ? 'good' : 'bad'}>{severity}</span>{' '}
            <span className="soft">{where}</span> {finding}
            {fix !== '' && <p>{fix}</p>}
          </li>
        ))}
      </ul>
    </>
  );
};
