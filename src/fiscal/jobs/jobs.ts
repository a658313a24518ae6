import { setImmediate } from 'node:timers/promises'
import type { Bound } from '../../domain/bound.ts'
import { invalidRequest, notFound } from '../../domain/errors.ts'
import { memberOf } from '../../domain/sale/config-chain.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope, type Scope } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import type { Job, JobKind, JobRowState, NewJobRow } from '../ports/jobs.ts'
import type { Device, JsonObject } from '../ports/model.ts'
import type { Keep } from '../sales/idempotency.ts'
import { type Forecast, findSubject, forecastOf } from './forecast.ts'

export const JOB_BOUNDS = {
  rows: { most: 5000, of: 'rows of a bulk job', beyond: '400 invalid_request' },
  open: { most: 20, of: 'bulk jobs of a tenant that are under way', beyond: '400 invalid_request' },
} as const satisfies Record<string, Bound>

/** The rows of a job that were asked for, by the ids of devices or invoices. */
export interface WantedJob {
  kind: JobKind
  parameters: JsonObject
  rows: readonly { subjectId: string; input: string | null }[]
}

/** A job and how many of its rows are in which state. */
export interface JobProgress {
  job: Job
  counts: Record<JobRowState, number>
}

export interface JobDeps extends CreatingContext {
  /** Begins a new job at once. */
  onCreated: () => void
}

const SCOPE_OF_JOB: Record<JobKind, Scope> = {
  retry: 'invoices:write',
  copies: 'invoices:write',
  isu_numbers: 'fleet:write',
  status: 'fleet:write',
  tag: 'fleet:write',
  untag: 'fleet:write',
  settings: 'fleet:write',
  hours: 'fleet:write',
}

/** Rows that are looked up before sales run again. */
const BREATH = 50
const MOST_LISTED = 50

export function createJobs({ store, clock, newUuid, onCreated }: JobDeps) {
  async function found(principal: Principal, id: string): Promise<Job> {
    const job = await store.jobs.get(id)
    // What a user with fewer companies may see of the rows of another one is not decided row by row.
    const isTheirs =
      job?.tenantId === principal.tenantId && (principal.companyIds === null || job.createdBy === principal.id)
    if (!job || !isTheirs) throw notFound('id', 'there is no such job')
    return job
  }

  return {
    /**
     * Stores a job, which begins at once in the background; `keep` joins its transaction.
     * @throws FiskError `insufficient_scope`, 400 for no rows or too many, 404 for a row that the principal does not
     *   see
     */
    async create(principal: Principal, { kind, parameters, rows }: WantedJob, keep?: Keep<Job>): Promise<Job> {
      requireDoable(principal, kind, rows.length)
      const known: NewJobRow[] = []
      for (const [index, row] of rows.entries()) {
        const { label, gatewayId, ...subject } = await findSubject(store, principal, kind, row.subjectId)
        const was = 'device' in subject ? wasOf(subject.device, kind, parameters) : null
        known.push({ ...row, label, gatewayId, was })
        if (index % BREATH === BREATH - 1) await setImmediate()
      }
      const { id: createdBy, tenantId } = principal
      const now = clock.now()
      const job: Job = {
        id: newUuid(),
        tenantId,
        kind,
        parameters,
        createdBy,
        createdAt: now,
        endedAt: null,
        total: known.length,
      }
      await store.transaction(async (tx) => {
        await tx.subjects.hold(`jobs ${tenantId}`)
        if ((await tx.jobs.countOpen(tenantId)) >= JOB_BOUNDS.open.most) {
          throw invalidRequest('rows', `${JOB_BOUNDS.open.most} jobs are under way already`, 'jobs_busy')
        }
        await tx.jobs.insert(job, known)
        await audit(tx, principal, now, 'job.created', { id: job.id, kind, rows: job.total })
        await keep?.(tx, job)
      })
      onCreated()
      return job
    },

    /** What will become of the rows, naming at most `mostNamed`; nothing is stored. @throws FiskError as `create` */
    async forecast(principal: Principal, { kind, parameters, rows }: WantedJob, mostNamed: number): Promise<Forecast> {
      requireDoable(principal, kind, rows.length)
      const ids = rows.map(({ subjectId }) => subjectId)
      return forecastOf({ store, clock }, principal, { kind, parameters, ids }, mostNamed)
    },

    /** The latest jobs of the tenant that the principal may see. */
    async list(principal: Principal): Promise<JobProgress[]> {
      requireScope(principal, 'fleet:read')
      const all = await store.jobs.list(principal.tenantId, MOST_LISTED)
      const theirs = all.filter(({ createdBy }) => principal.companyIds === null || createdBy === principal.id)
      return Promise.all(theirs.map(async (job) => ({ job, counts: await store.jobs.counts(job.id) })))
    },

    /** @throws FiskError 404 */
    async find(principal: Principal, id: string): Promise<JobProgress> {
      requireScope(principal, 'fleet:read')
      const job = await found(principal, id)
      return { job, counts: await store.jobs.counts(job.id) }
    },

    /** In order. @throws FiskError 404 */
    async rows(principal: Principal, id: string, states: readonly JobRowState[], from: number, limit: number) {
      requireScope(principal, 'fleet:read')
      return store.jobs.rows((await found(principal, id)).id, states, from, limit)
    },
  }
}

function wasOf({ isuNumber, status, deviceConfig }: Device, kind: JobKind, { setting }: JsonObject): string | null {
  if (kind === 'isu_numbers') return isuNumber
  if (kind === 'status') return status
  return kind === 'settings' ? (JSON.stringify(memberOf(deviceConfig, String(setting))) ?? null) : null
}

/** @throws FiskError `insufficient_scope`, 400 for no rows or too many */
function requireDoable(principal: Principal, kind: JobKind, rows: number): void {
  requireScope(principal, SCOPE_OF_JOB[kind])
  if (rows === 0) throw invalidRequest('rows', 'no row was chosen', 'job_empty')
  if (rows > JOB_BOUNDS.rows.most) throw tooLarge()
}

/** More rows than a job may have. */
export const tooLarge = () => invalidRequest('rows', `a job has at most ${JOB_BOUNDS.rows.most} rows`, 'job_too_large')
