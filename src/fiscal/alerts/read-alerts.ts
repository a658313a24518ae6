import type { AlertKind, AlertState, Severity } from '../../domain/alert.ts'
import type { Principal } from '../access/principal.ts'
import type { Page } from '../list-page.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Notice } from '../ports/mail.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { Keep } from '../sales/idempotency.ts'

/** An alert with the name of the gateway that reported it; null for an own alert. */
export interface AlertView extends Alert {
  gateway: string | null
}

/** An alert with the recipients of its mails. */
export interface AlertDetails extends AlertView {
  notices: Notice[]
}

/** The result of a test mail. */
export interface TestMail {
  to: string
  sent: boolean
  /** The mail server's answer, or why there was none. */
  answer: string
}

/** The alerts of a tenant and their acknowledgement. */
export interface AlertUseCases {
  /**
   * The tenant's alerts, including those from gateways, the latest first; without a state, alerts of all states.
   * @throws FiskError `insufficient_scope`
   */
  list(
    principal: Principal,
    filter: { state?: AlertState | undefined; kind?: AlertKind | undefined },
    slice: Slice,
  ): Promise<Page<AlertView>>
  /** @throws FiskError `insufficient_scope`, 404 */
  get(principal: Principal, id: string): Promise<AlertDetails>
  /**
   * Acknowledges an alert; only the first call counts. An alert about expired invoices is resolved by it, because it
   * cannot end otherwise. A resolved alert stays as it is.
   * @throws FiskError `insufficient_scope`, 404
   */
  acknowledge(principal: Principal, id: string, keep?: Keep<AlertView>): Promise<AlertView>
  /** Counts open alerts: neither acknowledged nor resolved. @throws FiskError `insufficient_scope` */
  counts(principal: Principal): Promise<Record<Severity, number>>
  /**
   * Sends a test mail at once.
   * @param to by default every recipient of the tenant's alerts
   * @throws FiskError `insufficient_scope`, 409 when there is no mail server or no recipient
   */
  sendTest(principal: Principal, to?: string): Promise<TestMail[]>
}
