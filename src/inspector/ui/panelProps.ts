import type { Observable } from 'rxjs';

import type { DefinedCohorts } from '../../model/definedCohorts';
import type { Finding } from '../../model/finding';
import type { InspectedPage } from '../inspectedPage';
import type { Log } from '../log';
import type { LogEntry } from '../logEntry';
import type { TabReplay } from '../replay/replayInTab';
import type { Simulation } from '../simulation';

/** What the inspector reads and does. */
export interface InspectorProps {
  readonly page: InspectedPage;
  readonly log: Log;
  /** What the definition says of the project's cohorts. Cold; completes without a value where it cannot be loaded. */
  readonly defined$: Observable<DefinedCohorts>;
  readonly doctor: () => Promise<readonly Finding[]>;
  /** Replays a log in this tab, without any effect on it. */
  readonly replay: (log: string) => Promise<TabReplay>;
  /** Loads the page again, and records it from the start. */
  readonly onRecordAgain: () => void;
  /** What the tab pretends at present. */
  readonly simulation: Simulation;
  /** Lets the tab pretend something else, from the next load on, which it begins. */
  readonly onSimulate: (simulation: Simulation) => void;
  readonly onClose: () => void;
}

/** The properties that every panel is given. `entries`: the log as it is shown. */
export interface PanelProps extends Omit<InspectorProps, 'onClose' | 'defined$'> {
  readonly entries: readonly LogEntry[];
  /** What the definition says of the project's cohorts; empty until it has loaded, and where it does not. */
  readonly defined: DefinedCohorts;
  /** The entry that is shown among the streams. */
  readonly selected: number | undefined;
  /** Shows the entry of that id among the streams. */
  readonly onShow: (id: number) => void;
}
