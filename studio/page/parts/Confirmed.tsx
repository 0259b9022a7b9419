import { type ReactElement, type ReactNode, useState } from 'react';

interface ConfirmedProps {
  readonly label: ReactNode;
  readonly question: string;
  readonly answer: string;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
}

/** A button that asks before it acts. */
export const Confirmed = ({ label, question, answer, onConfirm, isDisabled = false }: ConfirmedProps): ReactElement => {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <button type="button" aria-disabled={isDisabled} onClick={() => !isDisabled && setIsAsking(true)}>
        {label}
      </button>
    );
  return (
    <span role="group" aria-label={question} className="question">
      {question}{' '}
      <button
        type="button"
        className="danger"
        autoFocus
        onClick={() => {
          setIsAsking(false);
          onConfirm();
        }}
      >
        {answer}
      </button>{' '}
      <button type="button" onClick={() => setIsAsking(false)}>
        Cancel
      </button>
    </span>
  );
};
