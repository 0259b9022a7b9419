import type { ReactElement } from 'react';

import type { Fault } from '../../../src/codecs/codecs';

/** What is wrong with an input: where, and what was expected there. Shows nothing where there are no faults. */
export const Faults = ({
  title,
  faults,
  id,
}: {
  readonly title: string;
  readonly faults: readonly Fault[];
  readonly id?: string;
}): ReactElement => (
  <div role="status" id={id} className="faults" data-test="faults">
    {faults.length > 0 && (
      <>
        <p>{title}</p>
        <ul>
          {faults.map(({ path, expected }) => (
            <li key={`${path} ${expected}`}>
              <code>{path === '' ? '(root)' : path}</code>: expected {expected}
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
