import type { Logger } from 'pino'
import type { MachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import type { RunningSpool } from '../../receipts/spool.ts'
import { isDamage } from '../../store/shared/damage.ts'
import type { OpenStore } from '../../store/store.ts'
import { removeHalfBackup } from '../backup-restore/backup.ts'
import { removeHalfRestore } from '../backup-restore/restore-copy.ts'
import type { GatewaySync } from './gateway-sync.ts'
import type { Registry } from './registry.ts'
import type { Sales } from './sales.ts'

export interface RecoveryDeps {
  dataDir: string
  store: OpenStore
  log: () => Pick<Logger, 'error' | 'warn'>
  sales: Pick<Sales, 'recover'>
  registry: Pick<Registry, 'revokeAllListed'>
  /** Null for a server. */
  gateway: Pick<GatewaySync, 'noteStart'> | null
  spool: Pick<RunningSpool, 'load'>
  machine: Pick<MachineIdentity, 'begin' | 'changed'>
}

/** Completes or removes what a crash has left unfinished. */
export function composeRecovery({
  dataDir,
  store,
  log,
  sales,
  registry,
  gateway,
  spool,
  machine,
}: RecoveryDeps): () => Promise<void> {
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
        log().error({ err: error }, 'what a crash has left could not be taken up yet')
      })
    }
    const change = machine.changed()
    if (change) log().warn(change, 'the database was on another machine before: fisk doctor says what to do')
    await spool.load()
  }
}
