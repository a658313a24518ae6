import { type CalendarDate, dateAt, daysFrom, isoDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { AuditFilter } from '../../fiscal/ports/rows/access.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { byText, companiesOf } from '../company-choices.ts'
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

/** Who is meant by the id in an entry: the present name of a user or key; of a removed one the log has only the id. */
export async function actorNames(
  admin: Pick<AdminUseCases, 'listUsers' | 'listApiKeys'>,
  { principal, language }: Pick<PageContext, 'principal' | 'language'>,
) {
  // Who is limited to some companies sees no users and keys.
  const [users, keys] =
    principal.companyIds === null
      ? await Promise.all([admin.listUsers(principal), admin.listApiKeys(principal)])
      : [[], []]
  const names = new Map([...users, ...keys].map(({ id, name }) => [id, name ?? id]))
  const all = [...names].map(([value, text]) => ({ value, text })).sort(byText)
  return Object.assign((actor: string) => names.get(actor) ?? whoIs(actor, texts[language], principal), { all })
}

const APART = /^(operator of|gateway|server) (.+)$/

function whoIs(
  actor: string,
  t: (typeof texts)['hr'],
  { companyIds, id }: Pick<PageContext, 'principal'>['principal'],
): string {
  if (actor === 'operator') return t.operator
  if (actor === 'crl') return t.issuer
  if (actor === 'nobody') return t.nobody
  const [, kind, which = ''] = APART.exec(actor) ?? []
  if (kind === 'operator of') return t.operator
  if (kind === 'gateway') return t.gateway(which)
  if (kind === 'server') return t.server
  if (companyIds === null) return t.gone(actor)
  return actor === id ? t.you : t.other(actor)
}
