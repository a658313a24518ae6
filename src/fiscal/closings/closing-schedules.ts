import type { Bound } from '../../domain/bound.ts'
import { dateAt } from '../../domain/calendar-date.ts'
import { conflict, FiskError, notFound } from '../../domain/errors.ts'
import { periodAt } from '../../domain/sale/closing-period.ts'
import { type AuditAction, audit } from '../access/audit-log.ts'
import {
  type Principal,
  reachesCompany,
  requireAllCompanies,
  requireMode,
  requireScope,
  requireTheirs,
} from '../access/principal.ts'
import { checkEmail } from '../access/users.ts'
import type { CreatingContext } from '../context.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { ClosingSchedule } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'

export const SCHEDULE_BOUNDS = {
  schedules: { most: 100, of: 'schedules of closings by mail of a tenant', beyond: '409 invalid_request' },
} as const satisfies Record<string, Bound>

export type WantedSchedule = Pick<ClosingSchedule, 'unit' | 'mode' | 'companyId' | 'recipient' | 'language'>

export interface ScheduleView {
  schedule: ClosingSchedule
  /** The name of its company; null for all companies. */
  company: string | null
  /** The name of the user who saved it; null for one who was removed. */
  savedBy: string | null
  /** The latest mail; undefined before the first one, and 90 days after it. */
  mail: OfficeMail | undefined
}

export interface ScheduleDeps extends CreatingContext {
  isSet: boolean
  /** Begins to send at once what is due. */
  onSaved: () => void
}

/**
 * Closings by mail once their day or month is over, see `run-schedules.ts`. A user sees the schedules of the companies
 * that the user may see; only users without a limit have schedules of all companies.
 */
export function createClosingSchedules({ store, clock, newUuid, isSet, onSaved }: ScheduleDeps) {
  async function viewsOf(tenantId: string, schedules: ClosingSchedule[]): Promise<ScheduleView[]> {
    const ids = schedules.map(({ id }) => id)
    const mails = new Map((await store.officeMails.latestOf(tenantId, ids)).map((mail) => [mail.requestedBy, mail]))
    const views: ScheduleView[] = []
    for (const schedule of schedules) {
      const user = await store.users.get(schedule.savedBy)
      const company = schedule.companyId === null ? undefined : await store.companies.get(schedule.companyId)
      views.push({
        schedule,
        company: company?.name ?? null,
        savedBy: user?.name ?? null,
        mail: mails.get(schedule.id),
      })
    }
    return views
  }

  async function requireAllowed(principal: Principal, { companyId, mode, recipient }: WantedSchedule): Promise<void> {
    requireScope(principal, 'fleet:write')
    requireScope(principal, 'invoices:write')
    requireMode(principal, mode, 'mode')
    if (!isSet) throw conflict('to', 'no mail server is set: set FISKD_SMTP_URL and restart fiskd', 'mail_not_set')
    checkEmail(recipient, 'to')
    if (companyId === null) return requireAllCompanies(principal)
    const company = await store.companies.get(companyId)
    if (company?.tenantId === principal.tenantId && reachesCompany(principal, companyId)) return
    throw notFound('company', 'there is no such company')
  }

  const write = (
    tx: StoreTransaction,
    principal: Principal,
    action: AuditAction,
    { id, unit, mode, companyId, recipient }: ClosingSchedule,
  ) => audit(tx, principal, clock.now(), action, { id, unit, mode, company_id: companyId, to: recipient })

  return {
    isSet,
    /** By recipient. */
    async list(principal: Principal): Promise<ScheduleView[]> {
      requireScope(principal, 'invoices:read')
      const all = await store.closingSchedules.list(principal.tenantId)
      return viewsOf(
        principal.tenantId,
        all.filter(({ companyId }) => reachesCompany(principal, companyId)),
      )
    },
    /** @throws FiskError 404 */
    async get(principal: Principal, id: string): Promise<ScheduleView> {
      requireScope(principal, 'invoices:read')
      const schedule = requireTheirs(principal, await store.closingSchedules.get(id), 'schedule')
      const [view] = await viewsOf(principal.tenantId, [schedule])
      return view as ScheduleView
    },
    /**
     * The period that goes on is the first to be sent. @throws FiskError `insufficient_scope`, 404 for an unknown
     * company, 400 for a wrong address (`to`), 409 without a mail server or with too many schedules
     */
    async add(principal: Principal, wanted: WantedSchedule, keep?: Keep<ClosingSchedule>): Promise<ClosingSchedule> {
      await requireAllowed(principal, wanted)
      const [now, { id: savedBy, tenantId }] = [clock.now(), principal]
      const { starts: nextStarts } = periodAt(wanted.unit, dateAt(now))
      const schedule = { ...wanted, id: newUuid(), tenantId, savedBy, savedAt: now, nextStarts, stopped: null }
      await keeping(store, keep, async (tx) => {
        await tx.subjects.hold(`schedules ${tenantId}`)
        const before = await tx.closingSchedules.list(tenantId)
        if (before.length >= SCHEDULE_BOUNDS.schedules.most) {
          throw conflict('form', 'there are too many schedules', 'schedules_too_many')
        }
        await tx.closingSchedules.insert(schedule)
        await write(tx, principal, 'closing_schedule.added', schedule)
        return schedule
      })
      onSaved()
      return schedule
    },
    /** Lets a stopped one go on where it was stopped, or with the latest periods of a long stop. @throws FiskError as `add`, 404 */
    async change(principal: Principal, id: string, wanted: WantedSchedule, keep?: Keep<ClosingSchedule>) {
      await requireAllowed(principal, wanted)
      const saved = await keeping(store, keep, async (tx) => {
        const before = requireTheirs(principal, await tx.closingSchedules.get(id), 'schedule')
        const now = clock.now()
        const nextStarts = wanted.unit === before.unit ? before.nextStarts : periodAt(wanted.unit, dateAt(now)).starts
        // By this moment a pass sees that it was saved meanwhile.
        const savedAt = Math.max(now, before.savedAt + 1)
        const changes = { ...wanted, savedBy: principal.id, savedAt, nextStarts, stopped: null }
        await tx.closingSchedules.update(id, changes)
        const after = { ...before, ...changes }
        await write(tx, principal, 'closing_schedule.changed', after)
        return after
      })
      onSaved()
      return saved
    },
    /** @throws FiskError 404 */
    async remove(principal: Principal, id: string, keep?: Keep<ClosingSchedule>): Promise<ClosingSchedule> {
      requireScope(principal, 'fleet:write')
      return keeping(store, keep, async (tx) => {
        const schedule = requireTheirs(principal, await tx.closingSchedules.get(id), 'schedule')
        await tx.closingSchedules.remove(id)
        await write(tx, principal, 'closing_schedule.removed', schedule)
        return schedule
      })
    },
  }
}

/** @returns the user who saved it @throws FiskError `insufficient_scope` for one who may not send it any more */
export function requireStillAllowed(user: Principal | undefined, { tenantId, companyId }: ClosingSchedule): Principal {
  if (user?.tenantId === tenantId && reachesCompany(user, companyId)) return user
  throw new FiskError('insufficient_scope', 'the user who saved it may not send it any more')
}
