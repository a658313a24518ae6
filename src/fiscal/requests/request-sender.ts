import type { EpochMs } from '../../domain/instant.ts'
import { type AuditAction, audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import type { ModeClocks } from '../ports/clock.ts'
import { type Company, type JsonObject, LOCAL_GATEWAY } from '../ports/model.ts'
import type { AskedRequest, RequestEnd } from '../ports/rows/authority-requests.ts'
import type { AuthorityExchange, AuthorityRequest, AuthorityRequests, UpstreamError } from '../ports/tax-authority.ts'
import type { SigningIdentities } from '../registry/signing-identities.ts'
import { type Keep, KeyUsedMeanwhile } from '../sales/idempotency.ts'

export interface RequestSenderDeps extends CreatingContext {
  clock: CreatingContext['clock'] & ModeClocks
  authority: AuthorityRequests
  identities: Pick<SigningIdentities, 'current'>
}

export type RequestSender = ReturnType<typeof createRequestSender>

/** What is asked of the tax authority beside sales: what changes something there is stored before it is sent. */
export function createRequestSender({ store, clock, newUuid, authority, identities }: RequestSenderDeps) {
  /** @throws FiskError for want of a certificate */
  async function prepare(company: Company, request: AuthorityRequest) {
    const { mode } = company
    const modeClock = clock.of(mode)
    const identity = await identities.current(company, modeClock.present(), 'company_id')
    const messageId = newUuid()
    // A sale may lie some minutes ahead of the clock; what is said of it is not earlier.
    const sentAt = Math.max(modeClock.now(), 'document' in request ? request.document.occurredAt : 0)
    return { messageId, sentAt, send: () => authority.request({ mode, messageId, sentAt, identity, request }) }
  }

  return {
    now: (company: Company) => clock.of(company.mode).now(),

    /** Asks without changing anything there; nothing is stored. @throws FiskError for want of a certificate */
    async ask(company: Company, request: AuthorityRequest) {
      const { sentAt, send } = await prepare(company, request)
      return { ...(await send()), sentAt }
    },

    /**
     * After a crash at any line the stored request says that it may have been sent. `keep` joins the answer's
     * transaction.
     * @throws FiskError for want of a certificate; nothing is stored or sent then
     */
    async send(
      principal: Principal,
      company: Company,
      wanted: Pick<AskedRequest, 'premisesCode' | 'invoiceId' | 'asked' | 'jobRow'> & { request: AuthorityRequest },
      audited: { action: AuditAction; detail: JsonObject },
      keep?: Keep<AskedRequest>,
    ): Promise<AskedRequest> {
      const { request, ...rest } = wanted
      const id = newUuid()
      const { messageId, sentAt, send } = await prepare(company, request)
      const row: AskedRequest = {
        ...rest,
        id,
        messageId,
        sentAt,
        tenantId: company.tenantId,
        gatewayId: LOCAL_GATEWAY,
        companyId: company.id,
        mode: company.mode,
        requestedBy: principal.id,
        state: 'sent',
        answeredAt: null,
        code: null,
        message: null,
        requestXml: null,
        responseXml: null,
      }
      await store.authorityRequests.insert(row)
      const end = endOf(await send(), clock.now())
      const ended = { ...row, ...end }
      await store.transaction(async (tx) => {
        await tx.authorityRequests.end(id, end)
        await audit(tx, principal, clock.now(), audited.action, { ...audited.detail, state: end.state, code: end.code })
        // What was sent and answered is stored, also when another process has answered the same request meanwhile.
        await keep?.(tx, ended).catch((error: unknown) => {
          if (!(error instanceof KeyUsedMeanwhile)) throw error
        })
      })
      return ended
    },
  }
}

function endOf({ answer, requestXml, responseXml }: AuthorityExchange, now: EpochMs): RequestEnd {
  const end = { answeredAt: now, requestXml: requestXml.toString('utf8'), responseXml }
  const told = (errors: readonly UpstreamError[]) => errors.map(({ code, message }) => `${code}: ${message}`).join('; ')
  switch (answer.kind) {
    case 'done':
      return { ...end, state: 'done', code: answer.code, message: answer.message }
    case 'refused':
      return { ...end, state: 'refused', code: answer.errors[0].code, message: told(answer.errors) }
    case 'unknown': {
      const claims = answer.hearsay.length === 0 ? '' : ` It claims, unproven: ${told(answer.hearsay)}.`
      return { ...end, state: 'unknown', answeredAt: null, code: null, message: answer.message + claims }
    }
    case 'hours':
      throw new Error('what changes something is not answered with hours')
  }
}
