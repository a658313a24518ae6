import { type Check, failure, fine } from '../../domain/check.ts'
import type { OwnFiles } from '../ports/machine.ts'
import type { HealthCheck } from './doctor.ts'

/**
 * Whether the files that this process has open are those that bear their names: one that was removed or replaced
 * meanwhile takes sales until the process ends, and then they are gone.
 */
export function filesInPlaceChecks({ replaced, processId }: Pick<OwnFiles, 'replaced' | 'processId'>): HealthCheck[] {
  const name = 'files in place'

  async function examine(): Promise<Check[]> {
    const { database, lock } = await replaced()
    if (database.length > 0) {
      return [failure(name, `${database.join(' and ')} was removed or replaced while fiskd runs`, saving(processId))]
    }
    if (lock.length > 0) {
      const problem = `${lock.join()} was removed: nothing keeps a second fiskd off this database`
      return [failure(name, problem, 'take a new lock: systemctl restart fiskd')]
    }
    return [fine(name, 'the files that fiskd has open bear their names')]
  }
  return [{ name, run: examine }]
}

const saving = (pid: number) =>
  `the sales are only in what fiskd (process ${pid}) holds open: before it stops, find it with ` +
  `sudo ls -l /proc/${pid}/fd, copy both with sudo cp /proc/${pid}/fd/NUMBER to FILE and FILE-wal, then ` +
  'stop fiskd and restore that: fisk restore FILE'
