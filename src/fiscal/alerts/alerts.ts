import { type AlertKind, type AlertState, type Severity, severityOf } from '../../domain/alert.ts'
import { conflict, notFound } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { reachesCompany, requireAllCompanies } from '../access/company-limit.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import { checkEmail } from '../access/users.ts'
import { pageOf } from '../list-page.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Clock } from '../ports/clock.ts'
import type { MailTransport, MailWords } from '../ports/mail.ts'
import { type Language, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import type { AlertUseCases, AlertView, TestMail } from './read-alerts.ts'
import { type AlertTo, recipientsOf } from './recipients.ts'

export interface AlertsDeps {
  store: Pick<Store, 'alerts' | 'audit' | 'gateways' | 'mails' | 'transaction' | 'users'>
  clock: Clock
  newUuid: () => string
  words: MailWords
  /** Null without a mail server. */
  transport: MailTransport | null
  /** Recipients in addition to the users of the default tenant. */
  alertTo: AlertTo
}

/** Kinds that end only by an acknowledgement. */
const ENDS_WHEN_KNOWN: readonly string[] = ['invoices_expired'] satisfies AlertKind[]

export function createAlerts(deps: AlertsDeps): AlertUseCases {
  const { store } = deps
  return {
    list: (principal, filter, slice) => listAlerts(store, principal, filter, slice),
    async get(principal, id) {
      requireScope(principal, 'fleet:read')
      const alert = await findAlert(store, principal, id)
      return { ...(await viewOf(store, alert)), notices: await store.mails.noticesOf(alert.id) }
    },
    acknowledge: (principal, id, keep) => acknowledgeAlert(deps, principal, id, keep),
    async counts(principal) {
      requireScope(principal, 'fleet:read')
      const counts: Record<Severity, number> = { urgent: 0, warning: 0, info: 0 }
      for (const alert of await store.alerts.standing(principal)) counts[severityOf(alert)]++
      return counts
    },
    sendTest: (principal, to) => sendTest(deps, principal, to),
  }
}

async function listAlerts(
  store: Pick<Store, 'alerts' | 'gateways'>,
  principal: Principal,
  filter: { state?: AlertState | undefined; kind?: AlertKind | undefined },
  slice: Slice,
) {
  requireScope(principal, 'fleet:read')
  const { tenantId, companyIds } = principal
  const { items, next } = await pageOf(
    slice,
    (wanted) => store.alerts.list({ ...filter, tenantId, companyIds }, wanted),
    ({ raisedAt, id }) => ({ at: raisedAt, id }),
  )
  const names = await store.gateways.names([...new Set(items.map(({ gatewayId }) => gatewayId))])
  return { items: items.map((alert) => ({ ...alert, gateway: names.get(alert.gatewayId) ?? null })), next }
}

async function findAlert(tx: Pick<StoreTransaction, 'alerts'>, principal: Principal, id: string): Promise<Alert> {
  const alert = await tx.alerts.get(id)
  if (alert?.tenantId !== principal.tenantId || !reachesCompany(principal, alert.companyId))
    throw notFound('id', 'there is no such alert')
  return alert
}

async function viewOf(tx: Pick<StoreTransaction, 'gateways'>, alert: Alert): Promise<AlertView> {
  return { ...alert, gateway: (await tx.gateways.names([alert.gatewayId])).get(alert.gatewayId) ?? null }
}

async function acknowledgeAlert(
  { store, clock }: Pick<AlertsDeps, 'store' | 'clock'>,
  principal: Principal,
  id: string,
  keep: Keep<AlertView> | undefined,
): Promise<AlertView> {
  requireScope(principal, 'fleet:write')
  return store.transaction(async (tx) => {
    const { kind, subject, gatewayId } = await findAlert(tx, principal, id)
    const now = clock.now()
    // Later readers, also at a central server, do not know the ids of users.
    const by = (await tx.users.get(principal.id))?.name ?? principal.id
    if (await tx.alerts.acknowledge(id, by, now)) {
      if (gatewayId === LOCAL_GATEWAY && ENDS_WHEN_KNOWN.includes(kind)) await tx.alerts.resolve(kind, subject, now)
      await audit(tx, principal, now, 'alert.acknowledged', { id, kind, subject })
    }
    const view = await viewOf(tx, await findAlert(tx, principal, id))
    await keep?.(tx, view)
    return view
  })
}

async function sendTest(deps: AlertsDeps, principal: Principal, to: string | undefined): Promise<TestMail[]> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  const { store, clock, newUuid, words, transport, alertTo } = deps
  if (!transport) throw conflict('FISKD_SMTP_URL', 'no mail server is set: set FISKD_SMTP_URL and restart fiskd')
  const all: { address: string; language: Language }[] = await recipientsOf(store, principal.tenantId, alertTo)
  if (to !== undefined) checkEmail(to)
  const named = to?.toLowerCase()
  const known = all.find(({ address }) => address === named)
  const chosen = named === undefined ? all : [known ?? { address: named, language: alertTo.language }]
  if (chosen.length === 0) {
    throw conflict('to', 'nobody is told of alerts: give a user a mail address, or set FISKD_ALERT_TO')
  }
  await audit(store, principal, clock.now(), 'alert.tested', { recipients: chosen.map(({ address }) => address) })
  const tested: TestMail[] = []
  for (const { address, language } of chosen) {
    const letter = { id: newUuid(), recipient: address, ...words.test(language, clock.now()) }
    const { result, answer } = await transport.send(letter)
    tested.push({ to: address, sent: result === 'sent', answer })
  }
  return tested
}
