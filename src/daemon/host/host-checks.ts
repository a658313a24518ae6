import type { Examination } from '../../fiscal/doctor/doctor.ts'
import type { Config } from '../config.ts'
import { filesInPlace } from './files-in-place.ts'
import type { Machine } from './machine.ts'
import { permissionExaminations } from './permissions.ts'
import { processExaminations } from './process-checks.ts'
import { storageExaminations } from './storage-checks.ts'

/** What only this process can see of the machine: its own disk, files and limits. The rest is looked at by `fisk`. */
export function hostExaminations(config: Config, machine: Machine): Examination[] {
  return [
    ...permissionExaminations(config),
    filesInPlace(config.dataDir),
    ...storageExaminations(config.dataDir, machine),
    ...processExaminations(machine),
  ]
}
