import { conflict } from '../../domain/errors.ts'
import type { WorkingHours } from '../../domain/hours/hours.ts'
import { type AskedHours, readWantedHours, type WantedHours } from '../../domain/hours/hours-rules.ts'
import { statedHours } from '../../domain/hours/hours-text.ts'
import { type AuditAction, audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { Company } from '../ports/model.ts'
import type { AskedRequest } from '../ports/rows/authority-requests.ts'
import type { AuthorityAnswer, AuthorityRequest, OfPremises } from '../ports/tax-authority.ts'
import { findCompany } from '../registry/companies.ts'
import { findDevice } from '../registry/devices.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import type { RequestSender } from './request-sender.ts'

/** A premises by its code, or by a device that stands there. */
export type HoursPlace = { deviceId: string } | { companyId: string; premisesCode: string }

interface Premises {
  company: Company
  premisesCode: string
}

const MOST_LISTED = 50

export type HoursUseCases = ReturnType<typeof createHours>

/** Working hours of premises, as the tax authority keeps them (CIS specification, 2.8). */
export function createHours({ store, clock, sender }: Context & { sender: RequestSender }) {
  async function placeOf(principal: Principal, place: HoursPlace, isToBeOurs = true): Promise<Premises> {
    if ('premisesCode' in place) {
      const company = await findCompany(store, principal, place.companyId)
      if (isToBeOurs) requireOurs('company', company, 'company_id')
      return { company, premisesCode: place.premisesCode }
    }
    const device = await findDevice(store, principal, place.deviceId)
    if (isToBeOurs) requireOurs('device', device, 'device_id')
    return { company: await findCompany(store, principal, device.companyId), premisesCode: device.premisesCode }
  }

  /** A self-service machine has no operator but the taxpayer. */
  const of = ({ company: { oib }, premisesCode }: Premises) => ({ companyOib: oib, premisesCode, operatorOib: oib })

  async function fetch(premises: Premises): Promise<AuthorityAnswer> {
    return (await sender.ask(premises.company, { operation: 'dohvatiRadnoVrijeme', ...of(premises) })).answer
  }

  /** Whether an earlier message about the same hours was taken although its answer was lost: then none is sent again. */
  async function settled(
    principal: Principal,
    premises: Premises,
    prior: AskedRequest,
    hours: WorkingHours,
    keep?: Keep<AskedRequest>,
  ): Promise<AskedRequest | undefined> {
    const has = await fetch(premises)
    if (has.kind === 'unknown') throw conflict('hours', has.message, 'authority_silent')
    if (has.kind !== 'hours' || !holds(has.hours, hours)) return undefined
    const { requestXml, responseXml } = prior
    const end = { state: 'done', answeredAt: clock.now(), code: null, message: null, requestXml, responseXml } as const
    return keeping(store, keep, async (tx) => {
      await tx.authorityRequests.end(prior.id, end)
      await audit(tx, principal, end.answeredAt, 'hours.set', { ...detailOf(premises), state: end.state, code: null })
      return { ...prior, ...end }
    })
  }

  return {
    /** What the authority has. @throws FiskError 404; `device_owned_by_gateway`; for want of a certificate */
    async show(principal: Principal, place: HoursPlace): Promise<AuthorityAnswer> {
      requireScope(principal, 'fleet:read')
      return fetch(await placeOf(principal, place))
    },

    /** What was asked from here and by gateways, the latest first. @throws FiskError 404 */
    async history(principal: Principal, place: HoursPlace): Promise<AskedRequest[]> {
      requireScope(principal, 'fleet:read')
      const { company, premisesCode } = await placeOf(principal, place, false)
      return store.authorityRequests.ofPremises(company.id, premisesCode, MOST_LISTED)
    },

    /**
     * @param jobRow the row of a job: where a message about it may have been taken, the authority is asked first
     * @throws FiskError as `show`; `invalid_request` for what the authority would refuse; 409 `authority_silent`
     */
    async change(
      principal: Principal,
      place: HoursPlace,
      wanted: WantedHours,
      keep?: Keep<AskedRequest>,
      jobRow: string | null = null,
    ): Promise<AskedRequest> {
      requireScope(principal, 'fleet:write')
      const premises = await placeOf(principal, place)
      const { company, premisesCode } = premises
      const asks = readWantedHours(wanted, company.oib, sender.now(company))
      const prior = jobRow === null ? undefined : await store.authorityRequests.ofJobRow(jobRow)
      if (prior?.answeredAt === null && 'set' in asks) {
        const known = await settled(principal, premises, prior, asks.set, keep)
        if (known) return known
      }
      const [action, asked, request] = messageOf(asks, of(premises))
      const what = { premisesCode, invoiceId: null, asked, jobRow, request }
      return sender.send(principal, company, what, { action, detail: detailOf(premises) }, keep)
    },
  }
}

const detailOf = ({ company, premisesCode }: Premises) => ({ company_oib: company.oib, premises_code: premisesCode })

function messageOf(asks: AskedHours, of: OfPremises): [AuditAction, AskedRequest['asked'], AuthorityRequest] {
  if ('set' in asks) {
    const request = { operation: 'prijaviRadnoVrijeme', hours: asks.set, ...of } as const
    return ['hours.set', { kind: 'hours_set', ...statedHours(asks.set) }, request]
  }
  const request = { operation: 'obrisiRadnoVrijeme', dates: asks.remove, ...of } as const
  return ['hours.removed', { kind: 'hours_removed', ...asks.remove }, request]
}

/** Whether hours are among those that the authority has, which may have an end by now. */
function holds(has: WorkingHours, wanted: WorkingHours): boolean {
  const texts = ({ regular, exceptions }: WorkingHours) => {
    const stated = statedHours({ regular: regular.map(({ until: _, ...one }) => one), exceptions })
    return [...stated.regular, ...stated.exceptions].map((one) => JSON.stringify(one))
  }
  const there = new Set(texts(has))
  return texts(wanted).every((text) => there.has(text))
}
