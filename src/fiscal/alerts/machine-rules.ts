import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { countFailed, MANY_FAILED } from '../access/sessions.ts'
import type { ClockState } from '../clock/describe-clock.ts'
import { SLOW_DISK_MS } from '../clock/timed-write.ts'
import { WARN_AFTER_DAYS } from '../doctor/durability-checks.ts'
import type { ListenState } from '../ports/machine.ts'
import type { JsonObject } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { MachineChange } from '../registry/machine-facts.ts'
import { type LookAtDisk, leftOut } from '../sales/disk-space.ts'
import type { Finding, Findings, Rule } from './alert-watch.ts'
import { createLastingProblems, type Judgement, type Observation } from './lasting-problem.ts'

/** Problems of the machine are reported to the operator's tenant. */
const findings = (judgement: Judgement, finding: Omit<Finding, 'tenantId'>): Findings => ({
  found: judgement === 'wrong' ? [{ ...finding, tenantId: DEFAULT_TENANT }] : [],
  isUnclear: () => judgement === 'unclear',
})

function lastingRule(
  { kind, subject, ...patience }: Pick<Finding, 'kind' | 'subject'> & Parameters<typeof createLastingProblems>[1],
  elapsed: () => number,
  look: (now: EpochMs) => Promise<{ sight: Observation; detail?: JsonObject }>,
): Rule {
  const problems = createLastingProblems(elapsed, patience)
  return {
    kinds: [kind],
    async look(now) {
      const { sight, detail = {} } = await look(now)
      return findings(problems.judge(subject, sight), { kind, subject, detail })
    },
  }
}

const MINUTES = 60_000

/** A value that varies around the limit causes one alert. */
const DISK_CALM_MS = 10 * MINUTES

export function diskRule(lookAtDisk: LookAtDisk, elapsed: () => number): Rule {
  return lastingRule({ kind: 'disk_short', subject: 'disk', clearAfterMs: DISK_CALM_MS }, elapsed, async () => {
    const { room, freeBytes } = await lookAtDisk()
    if (room !== 'everything') return { sight: 'wrong', detail: { left_out: leftOut(room).at(-1) } }
    return { sight: freeBytes === null ? null : 'right' }
  })
}

/** Other programs may keep a disk busy for a while. */
const SLOW_PATIENCE = { raiseAfterMs: 5 * MINUTES, clearAfterMs: DISK_CALM_MS }

export function slowDiskRule(writeMs: () => number | null, elapsed: () => number): Rule {
  return lastingRule({ kind: 'disk_slow', subject: 'disk', ...SLOW_PATIENCE }, elapsed, async () => {
    const ms = writeMs()
    return { sight: ms === null ? null : ms < SLOW_DISK_MS ? 'right' : 'wrong' }
  })
}

/** After a start, the time server may not be reachable at once. */
const CLOCK_PATIENCE_MS = 10 * MINUTES

export function clockRule(state: () => Pick<ClockState, 'status' | 'trusted'>, elapsed: () => number): Rule {
  const order = { kind: 'clock_untrusted', subject: 'clock', raiseAfterMs: CLOCK_PATIENCE_MS } as const
  return lastingRule(order, elapsed, async () => {
    const { status, trusted } = state()
    return { sight: trusted ? 'right' : 'wrong', detail: { status } }
  })
}

/** Attempts with pauses in between are one alert. */
const SIGN_IN_CALM_MS = 60 * MINUTES

export function signInRule(store: StoreTransaction, elapsed: () => number): Rule {
  const order = { kind: 'sign_ins_failed', subject: 'sign-ins', clearAfterMs: SIGN_IN_CALM_MS } as const
  return lastingRule(order, elapsed, async (now) => ({
    sight: (await countFailed(store, now)) >= MANY_FAILED.count ? 'wrong' : 'right',
    detail: { count: MANY_FAILED.count, minutes: MANY_FAILED.withinMs / MINUTES },
  }))
}

/** A router that starts together with the machine takes some time, and a cable may be unplugged for a moment. */
const ADDRESS_PATIENCE_MS = 5 * MINUTES

/** Firmware that cannot reach fiskd at its configured address cannot sell. */
export function addressRule(listened: () => readonly ListenState[], elapsed: () => number): Rule {
  const patience = createLastingProblems(elapsed, { raiseAfterMs: ADDRESS_PATIENCE_MS })
  return {
    kinds: ['address_missing'],
    async look() {
      const judged = listened().map(({ address, problem }) => ({
        address,
        judgement: patience.judge(address, problem === null ? 'right' : 'wrong'),
      }))
      const wrong = judged.filter(({ judgement }) => judgement === 'wrong')
      const unclear = new Set(judged.flatMap((one) => (one.judgement === 'unclear' ? one.address : [])))
      return {
        found: wrong.map(({ address }) => ({
          tenantId: DEFAULT_TENANT,
          kind: 'address_missing',
          subject: address,
          detail: { address },
        })),
        isUnclear: ({ subject }) => unclear.has(subject),
      }
    },
  }
}

/** The alert ends when the machine is accepted, or when the card is back in the one before. */
export function machineRule(changed: () => MachineChange | null): Rule {
  return {
    kinds: ['machine_changed'],
    async look() {
      const change = changed()
      const finding = { kind: 'machine_changed', subject: 'machine', detail: { ...change } } as const
      return findings(change ? 'wrong' : 'right', finding)
    },
  }
}

/** The query reads the whole audit log, so run it at most this often while a backup is overdue. */
const ASK_AGAIN_MS = 10 * MINUTES
const OVERDUE_MS = WARN_AFTER_DAYS * 24 * 60 * MINUTES

/** Not for a database server, which has its own backups. */
export function backupRule(store: StoreTransaction, elapsed: () => number): Rule {
  let lastAt: EpochMs | null = null
  let askedAt = Number.NEGATIVE_INFINITY

  /** Without any backup, the first one is due this long after the installation. */
  async function isOverdue(now: EpochMs): Promise<boolean> {
    const since = lastAt ?? (await store.tenants.get(DEFAULT_TENANT))?.createdAt ?? now
    return now - since >= OVERDUE_MS && (await store.invoices.journals()).length > 0
  }

  return {
    kinds: ['backup_overdue'],
    async look(now) {
      if (lastAt !== null && now - lastAt < OVERDUE_MS) return { found: [] }
      if (elapsed() - askedAt < ASK_AGAIN_MS) return { found: [], isUnclear: () => true }
      lastAt = await store.audit.latest('database.backed_up')
      askedAt = elapsed()
      const detail = { last_at: lastAt === null ? null : formatInstant(lastAt) }
      const judgement = (await isOverdue(now)) ? 'wrong' : 'right'
      return findings(judgement, { kind: 'backup_overdue', subject: 'backup', detail })
    },
  }
}
