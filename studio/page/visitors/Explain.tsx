import type { ReactElement } from 'react';

import type { Explanation } from '../../../src/engine/engine';
import { explainWords } from '../../../src/engineHost/explainWords';

/** Why the visitor is a member or not, in the words of `permutive.explain`: a line a clause, inner ones indented. */
export const Explain = ({ explanation }: { readonly explanation: Explanation }): ReactElement => {
  const [verdict = '', ...clauses] = explainWords(explanation).split('\n');
  return (
    <div data-test="explain">
      <h3>{verdict}</h3>
      <ul className="why">
        {clauses.map((line, i) => {
          const [, indent = '', mark = '', words = line] = /^( *)(?:([✓✗]) )?(.*)/.exec(line) ?? [];
          return (
            // The same clause may be there twice, and lines have no identity but their place.
            <li
              key={i}
              className={mark === '✓' ? 'holds' : mark === '✗' ? 'fails' : 'flip'}
              style={{ paddingLeft: `${indent.length * 0.75}em` }}
            >
              {mark !== '' && (
                <>
                  <span aria-hidden="true">{mark}</span>
                  <span className="hidden">{mark === '✓' ? 'Holds:' : 'Does not hold:'}</span>{' '}
                </>
              )}
              {words}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
