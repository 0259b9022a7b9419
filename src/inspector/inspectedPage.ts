import type { Observable } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import type { Measured } from '../model/metric';
import type { BundleFile } from '../platform/bundleFiles';
import type { World } from '../visit/world';

/** What the inspector sees of a page. */
export interface InspectedPage {
  /** The public object, as the page calls it. */
  readonly tag: Readonly<Record<string, unknown>>;
  readonly world: World;
  /** State without a value at first: the visit of this moment. */
  readonly visit$: Observable<VisitStreams>;
  /** Measurements, such as those of requests. Hot. */
  readonly measured$: Observable<Measured>;
  /** Whether the SDK runs already, at this moment, without being watched from its start. */
  readonly isRunning: () => boolean;
  /** Finds a script of the bundle. Throws where the address of the bundle is unknown. */
  readonly fileOf: (name: string) => BundleFile;
}
