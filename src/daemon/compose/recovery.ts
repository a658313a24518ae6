import type { MachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import type { RunningSpool } from '../../receipts/spool.ts'
import { isDamage } from '../../store/shared/damage.ts'
import { removeHalfBackup } from '../backup-restore/backup.ts'
import { removeHalfRestore } from '../backup-restore/restore-copy.ts'
import type { Base } from './base.ts'
import type { GatewaySync } from './gateway-sync.ts'
import type { composeRegistry } from './registry.ts'
import type { composeSales } from './sales.ts'

interface Interrupted {
  sales: ReturnType<typeof composeSales>
  registry: ReturnType<typeof composeRegistry>
  /** Null for a server. */
  gateway: GatewaySync | null
  spool: RunningSpool
  machine: MachineIdentity
}

/** Completes or removes what a crash has left unfinished. */
export function composeRecovery(
  { config: { dataDir }, store, log }: Base,
  { sales, registry, gateway, spool, machine }: Interrupted,
): () => Promise<void> {
  async function takeUp(): Promise<void> {
    // If no other process can use this database, its leases belong to a process that no longer runs.
    if (!store.isShared) await store.leases.clear()
    await sales.recover()
    await registry.revokeAllListed()
  }

  return async () => {
    removeHalfBackup(dataDir)
    removeHalfRestore(dataDir)
    await gateway?.noteStart()
    for (const step of [takeUp, machine.begin]) {
      await step().catch((error: unknown) => {
        if (isDamage(error)) throw error
        // On a disk that takes no writes the daemon still serves reads; the sweep recovers the sales once writes work.
        log.error({ err: error }, 'what a crash has left could not be taken up yet')
      })
    }
    const change = machine.changed()
    if (change) log.warn(change, 'the database was on another machine before: fisk doctor says what to do')
    await spool.load()
  }
}
