import { experimentOf } from '../../../src/contracts/experiment';
import type { Id } from '../../../src/engine/language/language';
import type { ExperimentGroup } from '../../../src/model/cohort';
import type { ControlGroup } from '../../../src/model/project';
import type { ExperimentSizes } from '../../protocol';

/** How an experiment divides the visitors of a table. */
export interface Divided {
  readonly percent: number;
  /** The group of a visitor; undefined where the visits do not tell the user id. */
  readonly groupOf: (visitor: number) => ExperimentGroup | undefined;
}

/** How the experiment of a file divides visitors; undefined where it is not about the cohort. */
export const dividedBy = (
  controlGroup: ControlGroup | undefined,
  cohort: Id,
  idOf: (visitor: number) => string,
): Divided | undefined => {
  if (controlGroup === undefined) return undefined;
  const { groupOf } = experimentOf(controlGroup);
  if (groupOf('', cohort) === undefined) return undefined;
  return {
    percent: controlGroup.percent,
    groupOf: (visitor) => {
      const userId = idOf(visitor);
      return userId === '' ? undefined : groupOf(userId);
    },
  };
};

/** Counts the visitors and members of each group. */
export class GroupCounts {
  private readonly control = { visitors: 0, members: 0 };
  private readonly exposed = { visitors: 0, members: 0 };
  private unknown = 0;

  constructor(private readonly divided: Divided) {}

  add(visitor: number, isMember: boolean): void {
    const group = this.divided.groupOf(visitor);
    if (group === undefined) {
      this.unknown++;
      return;
    }
    this[group].visitors++;
    if (isMember) this[group].members++;
  }

  /** `scaled`: makes a count of all visitors of one of those that were counted. */
  sizes(scaled: (count: number) => number): ExperimentSizes {
    const sizeOf = ({ visitors, members }: ExperimentSizes[ExperimentGroup]): ExperimentSizes[ExperimentGroup] => ({
      visitors: scaled(visitors),
      members: scaled(members),
    });
    return {
      percent: this.divided.percent,
      control: sizeOf(this.control),
      exposed: sizeOf(this.exposed),
      unknown: scaled(this.unknown),
    };
  }
}
