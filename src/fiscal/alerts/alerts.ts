import { type AlertKind, type AlertState, type Severity, severityOf } from '../../domain/alert.ts'
import { conflict } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireAllCompanies, requireScope, requireTheirs } from '../access/principal.ts'
import { checkEmail } from '../access/users.ts'
import type { CreatingContext } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import type { Alert } from '../ports/alerts.ts'
import type { MailTransport, MailWords, Notice, Recipient } from '../ports/mail.ts'
import { LOCAL_GATEWAY } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { extendDeadline } from '../sales/legal-deadline.ts'
import { type AlertTo, recipientsOf } from './recipients.ts'

/** An alert with the name of the gateway that reported it; null for an own alert. */
export interface AlertView extends Alert {
  gateway: string | null
}

export interface AlertDetails extends AlertView {
  notices: Notice[]
}

export interface TestMail {
  to: string
  sent: boolean
  /** The mail server's answer, or why there was none. */
  answer: string
}

export interface AlertsDeps extends CreatingContext {
  words: MailWords
  /** Null without a mail server. */
  transport: MailTransport | null
  /** Recipients in addition to the users of the default tenant. */
  alertTo: AlertTo
}

/** Kinds that end only by an acknowledgement. */
const ENDS_WHEN_KNOWN: readonly string[] = ['invoices_expired'] satisfies AlertKind[]

export type AlertUseCases = ReturnType<typeof createAlerts>

export function createAlerts({ store, clock, newUuid, words, transport, alertTo }: AlertsDeps) {
  return {
    /**
     * The tenant's alerts, including those from gateways, the latest first; without a state, alerts of all states.
     * @throws FiskError `insufficient_scope`
     */
    async list(
      principal: Principal,
      filter: { state?: AlertState | undefined; kind?: AlertKind | undefined; about?: string },
      slice: Slice,
    ): Promise<Page<AlertView>> {
      requireScope(principal, 'fleet:read')
      const { tenantId, companyIds } = principal
      const { items, next } = await pageOf(
        slice,
        (wanted) => store.alerts.list({ ...filter, tenantId, companyIds }, wanted),
        ({ raisedAt, id }) => ({ at: raisedAt, id }),
      )
      const names = await store.gateways.names([...new Set(items.map(({ gatewayId }) => gatewayId))])
      return { items: items.map((alert) => ({ ...alert, gateway: names.get(alert.gatewayId) ?? null })), next }
    },
    /** @throws FiskError `insufficient_scope`, 404 */
    async get(principal: Principal, id: string): Promise<AlertDetails> {
      requireScope(principal, 'fleet:read')
      const alert = requireTheirs(principal, await store.alerts.get(id), 'alert')
      return { ...(await viewOf(store, alert)), notices: await store.mails.noticesOf(alert.id) }
    },
    /**
     * Acknowledges an alert; only the first call counts. An alert about expired invoices is resolved by it, because it
     * cannot end otherwise. A resolved alert stays as it is.
     * @throws FiskError `insufficient_scope`, 404
     */
    async acknowledge(principal: Principal, id: string, keep?: Keep<AlertView>): Promise<AlertView> {
      requireScope(principal, 'fleet:write')
      return keeping(store, keep, async (tx) => {
        const before = requireTheirs(principal, await tx.alerts.get(id), 'alert')
        const { kind, subject, gatewayId } = before
        const now = clock.now()
        // Later readers, also at a central server, do not know the ids of users.
        const by = (await tx.users.get(principal.id))?.name ?? principal.id
        if (await tx.alerts.acknowledge(id, by, now)) {
          if (gatewayId === LOCAL_GATEWAY && ENDS_WHEN_KNOWN.includes(kind)) await tx.alerts.resolve(kind, subject, now)
          await audit(tx, principal, now, 'alert.acknowledged', { id, kind, subject })
        }
        return viewOf(tx, (await tx.alerts.get(id)) ?? before)
      })
    },
    /** @throws FiskError as `extendDeadline` */
    extendDeadline: extendDeadline.bind(undefined, { store, clock }),
    /** Counts open alerts: neither acknowledged nor resolved. @throws FiskError `insufficient_scope` */
    async counts(principal: Principal): Promise<Record<Severity, number>> {
      requireScope(principal, 'fleet:read')
      const counts: Record<Severity, number> = { urgent: 0, warning: 0, info: 0 }
      for (const alert of await store.alerts.standing(principal)) counts[severityOf(alert)]++
      return counts
    },
    /**
     * Sends a test mail at once, by default to every recipient of the tenant's alerts.
     * @throws FiskError `insufficient_scope`, 409 when there is no mail server or no recipient
     */
    async sendTest(principal: Principal, to?: string): Promise<TestMail[]> {
      requireScope(principal, 'fleet:write')
      requireAllCompanies(principal)
      if (!transport) throw conflict('FISKD_SMTP_URL', 'no mail server is set: set FISKD_SMTP_URL and restart fiskd')
      const all: Pick<Recipient, 'address' | 'language'>[] = await recipientsOf(store, principal.tenantId, alertTo)
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
    },
  }
}

async function viewOf(tx: StoreTransaction, alert: Alert): Promise<AlertView> {
  return { ...alert, gateway: (await tx.gateways.names([alert.gatewayId])).get(alert.gatewayId) ?? null }
}
