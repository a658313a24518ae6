import { createPrivateKey } from 'node:crypto'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'
import type { SigningIdentity } from '../../../src/fiscal/ports/certificates.ts'
import type { FiscalMessage } from '../../../src/fiscal/ports/tax-authority.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'

/** 10:15:30 on a summer day in Zagreb. */
export const SUMMER = Date.UTC(2026, 6, 1, 8, 15, 30)
/** 10:16:00 on the same day. */
const SENT = Date.UTC(2026, 6, 1, 8, 16, 0)

export const MESSAGE_ID = '5f0c8d3a-6f5e-4d3b-9a41-0c1f6d2b7e90'

export function document(changes: Partial<FiscalDocument> = {}): FiscalDocument {
  return {
    companyOib: OIBS[0],
    vatRegistered: true,
    occurredAt: SUMMER,
    sequenceMark: 'P',
    number: '123',
    premisesCode: 'POSL1',
    registerMark: '12',
    vat: [],
    consumptionTax: [],
    otherTaxes: [],
    vatExemptAmount: null,
    marginAmount: null,
    nonTaxableAmount: null,
    fees: [],
    total: '2.50',
    paymentMethod: 'G',
    operatorOib: OIBS[0],
    zki: '0123456789abcdef0123456789abcdef',
    paragonNumber: null,
    specialPurpose: null,
    recipientOib: null,
    ...changes,
  }
}

/** Everything that breaks a careless XML writer: markup, quotes, Croatian, line ends, tabs, beyond the basic plane. */
export const AWKWARD = `<a b="c">&amp; 'd' ]]> ČčĆćĐđŠšŽž €\r\nx\ty\rz  😀 𝄞 a\u0085b\u2028c\r\u0085d\r\u2028e\u2029f`

/** A refund with every field there is. */
export function fullDocument(changes: Partial<FiscalDocument> = {}): FiscalDocument {
  return document({
    sequenceMark: 'N',
    vat: [
      { rate: '25.00', base: '-80.00', amount: '-20.00' },
      { rate: '0.00', base: '-1.00', amount: '0.00' },
    ],
    consumptionTax: [{ rate: '3.00', base: '-10.00', amount: '-0.30' }],
    otherTaxes: [{ name: AWKWARD, rate: '15.00', base: '-10.00', amount: '-1.50' }],
    vatExemptAmount: '-1.00',
    marginAmount: '-2.00',
    nonTaxableAmount: '-3.00',
    fees: [
      { name: AWKWARD, amount: '-0.07' },
      { name: 'Povratna naknada', amount: '-0.10' },
    ],
    total: '-105.50',
    paymentMethod: 'O',
    paragonNumber: AWKWARD,
    specialPurpose: AWKWARD,
    recipientOib: OIBS[1],
    ...changes,
  })
}

export async function identityOf(oib: string = OIBS[0]): Promise<SigningIdentity> {
  const { keyPem, certDer } = await certificateOf(oib)
  return { certificateId: 'certificate', privateKey: createPrivateKey(keyPem), certificateDer: certDer }
}

export async function message(changes: Partial<FiscalMessage> = {}): Promise<FiscalMessage> {
  return {
    mode: 'test',
    document: document(),
    messageId: MESSAGE_ID,
    sentAt: SENT,
    lateDelivery: false,
    identity: await identityOf(changes.document?.companyOib),
    ...changes,
  }
}
