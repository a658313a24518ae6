import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { failure } from '../../domain/check.ts'
import { FiskError } from '../../domain/errors.ts'
import { alike } from '../../domain/texts/both.ts'
import { UNWATCHED } from '../../fiscal/clock/describe-clock.ts'
import { statusOfNothing } from '../../fiscal/doctor/status.ts'
import { WRITES } from '../../fiscal/doctor/storage-checks.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import type { AdminUseCases, OfficeUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { DEFAULT_TENANT } from '../../store/store.ts'
import type { Service } from '../compose/service.ts'
import type { NoDatabase } from '../lifecycle/open-database.ts'
import { operatorOf } from './authenticate.ts'

const DATABASE = { en: 'database', hr: 'baza podataka' }

/** Every request is refused with reason and fix, health is `down`, and `fisk status` shows the problem. */
export function refusingService({ message, fix, subject }: NoDatabase, clock: Clock): Service {
  const refuse = (): never => {
    throw new FiskError('internal_error', `nothing can be sold: ${message}; ${fix}`)
  }
  const diagnosis = async () => ({
    ok: false,
    checks: [failure(subject === 'disk' ? WRITES : DATABASE, alike(message), alike(fix))],
  })
  return {
    useCases: refusing<UseCases>(refuse, {
      now: clock.now,
      fiscalHealth: async () => ({
        reachable: false,
        latencyMs: 0,
        endpoint: '',
        mode: 'test',
        checkedAt: clock.now(),
        detail: alike(message),
      }),
      health: async () => ({
        status: 'down',
        database: { status: 'down', latencyMs: null, detail: message },
        disk: { status: subject === 'disk' ? 'down' : 'ok', freeBytes: null },
        clock: UNWATCHED,
        printers: { status: 'ok', total: 0, ready: 0, detail: null },
        numbers: { status: 'ok', ending: 0 },
        sales: { status: 'ok', reasons: [] },
      }),
    }),
    adminUseCases: refusing<AdminUseCases>(refuse, {
      trust: refusing(refuse),
      sync: refusing(refuse),
      gateways: refusing(refuse),
      commands: refusing(refuse),
      doctor: diagnosis,
      authorityCheck: diagnosis,
      status: async () => statusOfNothing({ subject, problem: message, fix }, UNWATCHED),
    }),
    sessions: refusing<SessionUseCases>(refuse),
    office: refusing<OfficeUseCases>(refuse),
    receiptPages: null,
    sync: null,
    identifyCaller: async () => refuse(),
    identifyOperator: async () => operatorOf(DEFAULT_TENANT),
    recover: async () => {},
    ask: async () => {},
    facts: async () => ({
      stored: null,
      devices: null,
      diskFreeBytes: null,
      clock: null,
      sync: null,
      printers: new Map(),
      alerts: null,
    }),
    start: () => ({ first: Promise.resolve(), ended: Promise.resolve(false) }),
    sweep: async () => {},
    watch: async () => {},
    stop() {},
    close: async () => {},
  }
}

function refusing<T extends object>(refuse: () => never, known: Partial<T> = {}): T {
  return new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? refuse }) as T
}
