import { type Check, failure, fine } from '../../domain/check.ts'
import type { OwnFiles } from '../ports/machine.ts'
import type { HealthCheck } from './doctor.ts'

/**
 * Whether the files that this process has open are those that bear their names: one that was removed or replaced
 * meanwhile takes sales until the process ends, and then they are gone.
 */
export function filesInPlaceChecks({ replaced, processId }: Pick<OwnFiles, 'replaced' | 'processId'>): HealthCheck[] {
  const name = { en: 'files in place', hr: 'otvorene datoteke' }

  async function examine(): Promise<Check[]> {
    const { database, lock } = await replaced()
    if (database.length > 0) {
      const detail = {
        en: `${database.join(' and ')} was removed or replaced while fiskd runs`,
        hr: `${database.join(' and ')}: uklonjeno ili zamijenjeno dok fiskd radi`,
      }
      return [failure(name, detail, saving(processId))]
    }
    if (lock.length > 0) {
      const problem = {
        en: `${lock.join()} was removed: nothing keeps a second fiskd off this database`,
        hr: `${lock.join()}: uklonjeno, pa ništa ne sprječava da istu bazu podataka otvori još jedan fiskd`,
      }
      return [
        failure(name, problem, {
          en: 'take a new lock: systemctl restart fiskd',
          hr: 'ponovno pokrenite fiskd: systemctl restart fiskd',
        }),
      ]
    }
    return [
      fine(name, { en: 'the files that fiskd has open bear their names', hr: 'otvorene datoteke su na svojem mjestu' }),
    ]
  }
  return [{ name, run: examine }]
}

const saving = (pid: number) => ({
  en:
    `the sales are only in what fiskd (process ${pid}) holds open: before it stops, find it with ` +
    `sudo ls -l /proc/${pid}/fd, copy both with sudo cp /proc/${pid}/fd/NUMBER to FILE and FILE-wal, then ` +
    'stop fiskd and restore that: fisk restore FILE',
  hr:
    `računi su samo u datotekama koje drži proces ${pid}: prije zaustavljanja pronađite ih naredbom sudo ` +
    `ls -l /proc/${pid}/fd, kopirajte obje naredbom sudo cp /proc/${pid}/fd/NUMBER u FILE i FILE-wal, a zatim ` +
    'zaustavite fiskd i vratite ih: fisk restore FILE',
})
