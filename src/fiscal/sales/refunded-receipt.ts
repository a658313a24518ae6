import { invalidRequest } from '../../domain/errors.ts'
import { printedNumber, sequenceRegister } from '../../domain/sale/receipt-number.ts'
import type { ResolvedSale } from '../../domain/sale/resolve-sale.ts'
import type { Company, Invoice } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** An invoice id, `number/premises/register`, or a number alone. */
const FORM = /^(?:(inv_[0-9A-Za-z_-]{1,64})|([1-9]\d{0,19})(?:\/([0-9a-zA-Z]{1,20})\/([1-9]\d{0,19}))?)$/
/** The sequences of a premises are as many as its years, times its registers where each numbers for itself. */
const SEQUENCES = 500

/**
 * The printed number of the receipt that a refund names (docs/spec/interface.md, POST /v1/invoices); undefined when it
 * names none. Of several years with such a number any will do: it is the same on paper.
 * @throws FiskError `invalid_request` when the company has no such receipt in this mode
 */
export async function refundedReceipt(
  store: StoreTransaction,
  { id: companyId, tenantId, mode }: Company,
  { stornoOf, document: refund, year }: ResolvedSale,
): Promise<string | undefined> {
  if (stornoOf === null) return undefined
  const [, id, number, premisesCode = refund.premisesCode, registerMark] = FORM.exec(stornoOf) ?? []
  const realm = { tenantId, mode, companyIds: [companyId] }
  let found: (Invoice | undefined)[] = []
  if (id !== undefined) found = [await store.invoices.get(id)]
  else if (number !== undefined) {
    const wanted = { number, premisesCode, registerMark: null }
    const { invoices } = await store.lookups.byNumber(realm, wanted, null, SEQUENCES)
    found = invoices.filter(({ document, year: issuedIn }) =>
      registerMark === undefined
        ? issuedIn === year && sequenceRegister(document) === sequenceRegister(refund)
        : document.registerMark === registerMark,
    )
  }
  const [original] = found.flatMap((one) => {
    const isOurs = one?.tenantId === tenantId && one.companyId === companyId && one.mode === mode
    // A premises is looked for in capitals, too.
    return isOurs && (id !== undefined || one.document.premisesCode === premisesCode) ? one.document : []
  })
  const forms = 'its id, number/premises/register, or a number of this device and year'
  if (!original) throw invalidRequest('storno_of', `the company has no such receipt: send ${forms}`)
  return printedNumber(original.number, original.premisesCode, original.registerMark)
}
