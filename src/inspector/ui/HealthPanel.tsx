import { type ReactElement, useState } from 'react';
import { from } from 'rxjs';

import { useLatest, usePanel } from './parts';

/** What `permutive.doctor()` finds, the worst first, each with what to do about it. */
export const HealthPanel = (): ReactElement => {
  const { doctor } = usePanel();
  const [look, setLook] = useState(1);
  // The list of findings stays while the doctor looks again.
  const findings = useLatest(() => from(doctor()), [look]);
  return (
    <>
      <div className="tools">
        <button type="button" onClick={() => setLook(look + 1)}>
          Look again
        </button>
      </div>
      {findings === undefined && <p className="soft">Looking…</p>}
      <ul className="plain">
        {findings?.map(({ finding, severity, where, fix }) => (
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
