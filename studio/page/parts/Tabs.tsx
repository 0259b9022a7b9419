import { type KeyboardEvent, type ReactElement, useRef } from 'react';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Begins the ids of tabs, and of the panels that they name. */
  readonly id: string;
  readonly className?: string;
}

/** Tabs that arrow keys move through. */
export const Tabs = <Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  id,
  className,
}: TabsProps<Name>): ReactElement => {
  const row = useRef<HTMLDivElement>(null);
  const names = Object.keys(tabs) as Name[];
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = names.indexOf(chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: names.length - 1,
    };
    const to = Object.hasOwn(steps, event.key)
      ? names[((steps[event.key] ?? 0) + names.length) % names.length]
      : undefined;
    if (to === undefined) return;
    event.preventDefault();
    onChoose(to);
    row.current?.querySelector<HTMLElement>(`#${id}-tab-${to}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} ref={row} className={`tabs ${className ?? ''}`} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-tab-${name}`}
          aria-selected={name === chosen}
          aria-controls={`${id}-panel-${name}`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
};
