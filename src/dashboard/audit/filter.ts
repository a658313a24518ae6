import { type CalendarDate, dateAt, daysFrom, isoDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { AuditFilter } from '../../fiscal/ports/rows/access.ts'
import { companiesOf } from '../company-choices.ts'
import { chosenId } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

export const AREAS = ['device', 'company', 'certificate', 'invoice', 'job', 'gateway', 'user', 'session'] as const

/** Whoever asks for a person or a machine sees so many days, unless another day is named. */
export const AUDIT_DAYS = 90

/** What the address of the audit log narrows it down to; a machine is named by its name or id. */
export async function readAuditFilter({ admin, v1, now }: DashboardDeps, { principal, query, language }: PageContext) {
  const t = texts[language]
  const [actor, area] = [query.who || undefined, AREAS.find((one) => one === query.area)]
  const device = (query.device ?? '').trim()
  const companyId = chosenId(query.company ?? '')
  const isNarrow = actor !== undefined || device !== '' || companyId !== undefined
  const until = readDate(query.to ?? '')
  const from = readDate(query.from ?? '') ?? (isNarrow ? daysFrom(until ?? dateAt(now()), -AUDIT_DAYS) : undefined)
  const devices = device === '' ? [] : (await admin.devicesNamed(principal, device)).map(({ id }) => id)
  const companies = await companiesOf(v1, principal)
  const company = companies.find(({ id }) => id === companyId)
  const about = [...(device === '' ? [] : [devices]), ...(company ? [[company.id, company.oib]] : [])]
  const filter: AuditFilter = {
    actor,
    areas: area && [area],
    about: query.job ? [...about, [query.job]] : about,
    from: from && startOfDay(from),
    to: until && startOfDay(daysFrom(until, 1)),
    // What jobs did with one machine is asked for, too.
    withoutJobs: !query.job && device === '',
  }
  const day = (date: CalendarDate | undefined) => (date ? isoDate(date) : '')
  return {
    filter,
    values: { ...query, from: day(from), to: day(until) },
    companies: companies.map(({ id, name }) => ({ value: id, text: name })),
    error: device !== '' && devices.length === 0 ? t.noSuchDevice : undefined,
  }
}
