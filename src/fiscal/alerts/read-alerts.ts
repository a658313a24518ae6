import type { AlertKind, AlertState, Severity } from '../../domain/alert.ts'
import type { Principal } from '../access/principal.ts'
import type { Page } from '../list-page.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Notice } from '../ports/mail.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { Keep } from '../sales/idempotency.ts'

/** An alert with the name of the gateway that told of it; null for our own. */
export interface AlertView extends Alert {
  gateway: string | null
}

/** One alert and whom mails have told of it. */
export interface AlertDetails extends AlertView {
  notices: Notice[]
}

/** What came of a test mail. */
export interface TestMail {
  to: string
  sent: boolean
  /** What the mail server said, or why nothing came of it. */
  answer: string
}

/** What somebody should know, and what people do about it. */
export interface AlertUseCases {
  /** The tenant's, those of gateways too, the latest first. Without a state: all of them. @throws FiskError `insufficient_scope` */
  list(
    principal: Principal,
    filter: { state?: AlertState | undefined; kind?: AlertKind | undefined },
    slice: Slice,
  ): Promise<Page<AlertView>>
  /** @throws FiskError `insufficient_scope`, 404 */
  get(principal: Principal, id: string): Promise<AlertDetails>
  /**
   * Says that somebody knows; the first one counts. Expired invoices are over with it: nothing else ends them. An alert
   * that is over stays as it is. @throws FiskError `insufficient_scope`, 404
   */
  acknowledge(principal: Principal, id: string, keep?: Keep<AlertView>): Promise<AlertView>
  /** Of those that are open: nobody has acknowledged them, and they go on. @throws FiskError `insufficient_scope` */
  counts(principal: Principal): Promise<Record<Severity, number>>
  /**
   * Sends a mail at once. @param to everybody who is told of the tenant's alerts when left out
   * @throws FiskError `insufficient_scope`, 409 when there is no mail server or nobody to tell
   */
  sendTest(principal: Principal, to?: string): Promise<TestMail[]>
}
