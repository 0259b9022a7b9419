import { resolve } from 'node:path';

import { writeSampleProject } from '../demo/project/write';
import { partsOf, readProject } from '../scripts/readProject';
