import type { StatusView } from '../../contract/admin/status.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { ClockState } from '../../fiscal/clock/clock-state.ts'
import type { GatewayStatus } from '../../fiscal/doctor/status.ts'
import type { ListenState } from '../../fiscal/ports/listen-address.ts'
import type { FiscalHealth } from '../../fiscal/sales/authority-probe.ts'
import { leftOut } from '../../fiscal/sales/disk-space.ts'
import { fiscalHealthView } from '../routes/health.ts'
import { moment } from '../views/moment.ts'
import { queueView } from './queue-routes.ts'
import { syncSummary } from './sync-view.ts'

/** What the running program knows of itself. */
export interface ProgramFacts {
  version: string
  role: string
  /** Milliseconds since its start, whatever was done to the clock. */
  uptimeMs(): number
  now(): number
  /** What clients pin; null where the operator has brought a certificate. @throws where it cannot be read */
  ca(): Promise<{ file: string; sha256: string } | null>
  /** Where callers are meant to reach it. */
  listened(): ListenState[]
}

export async function statusView(status: GatewayStatus, facts: ProgramFacts): Promise<StatusView> {
  const { problems, companies, devices, queue } = status
  return {
    can_sell: status.canSell,
    problems: problems.map(({ subject, problem, fix }) => ({ subject, problem, fix })),
    version: facts.version,
    role: facts.role,
    listen: facts.listened(),
    ca: await caView(facts),
    uptime_s: Math.floor(facts.uptimeMs() / 1000),
    checked_at: formatInstant(facts.now()),
    companies: companies.map(({ company, certificate }) => ({
      name: company.name,
      oib: company.oib,
      mode: company.mode,
      status: company.status,
      certificate_status: certificate.status,
      certificate_days_left: certificate.daysLeft,
    })),
    devices: { total: devices.total, without_isu: devices.withoutIsu, able_to_sell: devices.able },
    queue: {
      ...queueView(queue),
      oldest_at: moment(status.oldestAt),
      legal_deadline_at: moment(status.legalDeadlineAt),
    },
    parked: { count: status.parked.count, may_send: status.parked.maySend },
    last_jir_at: moment(status.lastJirAt),
    cis: cisView(status.cis, facts.now()),
    clock: clockView(status.clock),
    disk: { free_bytes: status.disk.freeBytes, left_out: leftOut(status.disk.room), write_ms: status.diskWriteMs },
    printers: status.printers.map(({ device, condition }) => ({
      device: { id: device.id, label: device.label },
      ...condition,
    })),
    sync: status.sync && syncSummary(status.sync),
    machine_change: status.machineChange,
    backup: { last_at: moment(status.lastBackupAt), elsewhere: status.backedUpElsewhere },
    processes: status.processes.map(({ host, pid, version, startedAt, isThisOne }) => ({
      host,
      pid,
      version,
      started_at: formatInstant(startedAt),
      this_one: isThisOne,
    })),
  }
}

/** A CA that cannot be read is for the doctor to tell: what else is known stays worth knowing. */
async function caView({ ca }: ProgramFacts): Promise<StatusView['ca']> {
  const found = await ca().catch(() => null)
  return found && { file: found.file, sha256: found.sha256 }
}

function cisView(cis: FiscalHealth | null, now: EpochMs): StatusView['cis'] {
  if (cis === null) return null
  return { ...fiscalHealthView(cis), detail: cis.detail, age_s: Math.max(0, Math.floor((now - cis.checkedAt) / 1000)) }
}

function clockView({
  status,
  trusted,
  synchronised,
  offsetMs,
  newestKnownAt,
  detail,
}: ClockState): StatusView['clock'] {
  return {
    status,
    trusted,
    synchronised,
    offset_ms: offsetMs,
    newest_known_at: moment(newestKnownAt),
    detail,
  }
}
