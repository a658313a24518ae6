import type { HealthCheck } from '../../fiscal/doctor/doctor.ts'
import type { Config } from '../config.ts'
import { filesInPlace } from './files-in-place.ts'
import type { Machine } from './machine.ts'
import { permissionChecks } from './permissions.ts'
import { processChecks } from './process-checks.ts'
import { storageChecks } from './storage-checks.ts'

/** What only this process can see of the machine: its own disk, files and limits. The rest is looked at by `fisk`. */
export function hostChecks(config: Config, machine: Machine): HealthCheck[] {
  return [
    ...permissionChecks(config),
    filesInPlace(config.dataDir),
    ...storageChecks(config.dataDir, machine),
    ...processChecks(machine),
  ]
}
