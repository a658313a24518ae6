import type { Fee, FiscalDocument, NamedTaxLine, TaxLine } from '../../domain/sale/sale.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import type { FiscalMessage, OfSale } from '../../fiscal/ports/tax-authority.ts'
import { FISCAL_NAMESPACE } from '../namespaces.ts'
import { element, escapeText, listElement, optionalElement, textElement } from './xml-writer.ts'

export interface UnsignedMessage {
  xml: string
  /** The root's `Id`, which the signature refers to. */
  id: string
}

/** The order of the elements is the schema's (CIS specification, 2.1 and 2.2), else `s001`; absent ones are left out. */
export function writeMessage(message: FiscalMessage): UnsignedMessage {
  const id = `racun-${message.messageId}` // an XML id must not begin with a digit
  const receipt = element('Racun', writeReceiptFields(message))
  return { id, xml: rootElement('RacunZahtjev', id, message, receipt) }
}

export function rootElement(
  name: string,
  id: string,
  { messageId, sentAt }: Pick<FiscalMessage, 'messageId' | 'sentAt'>,
  content: string,
): string {
  const sending = textElement('DatumVrijeme', formatZagreb(sentAt, 'dd.MM.yyyyTHH:mm:ss'))
  const header = element('Zaglavlje', textElement('IdPoruke', messageId) + sending)
  return `<tns:${name} xmlns:tns="${FISCAL_NAMESPACE}" Id="${escapeText(id)}">${header}${content}</tns:${name}>`
}

/** What a message about a sale, and one about its correction, have alike. */
export function writeReceiptFields({ document, lateDelivery }: OfSale): string {
  return (
    textElement('Oib', document.companyOib) +
    textElement('USustPdv', String(document.vatRegistered)) +
    textElement('DatVrijeme', formatZagreb(document.occurredAt, 'dd.MM.yyyyTHH:mm:ss')) + // a T here, a space in the ZKI
    textElement('OznSlijed', document.sequenceMark) +
    element('BrRac', writeNumber(document)) +
    listElement('Pdv', document.vat, writeTax) +
    listElement('Pnp', document.consumptionTax, writeTax) +
    listElement('OstaliPor', document.otherTaxes, writeNamedTax) +
    optionalElement('IznosOslobPdv', document.vatExemptAmount) +
    optionalElement('IznosMarza', document.marginAmount) +
    optionalElement('IznosNePodlOpor', document.nonTaxableAmount) +
    listElement('Naknade', document.fees, writeFee) +
    textElement('IznosUkupno', document.total) +
    textElement('NacinPlac', document.paymentMethod) +
    textElement('OibOper', document.operatorOib) +
    textElement('ZastKod', document.zki) +
    textElement('NakDost', String(lateDelivery)) +
    optionalElement('ParagonBrRac', document.paragonNumber) +
    optionalElement('SpecNamj', document.specialPurpose) +
    optionalElement('OibPrimateljaRacuna', document.recipientOib)
  )
}

function writeNumber({ number, premisesCode, registerMark }: FiscalDocument): string {
  return textElement('BrOznRac', number) + textElement('OznPosPr', premisesCode) + textElement('OznNapUr', registerMark)
}

const writeTax = (line: TaxLine): string => element('Porez', writeAmounts(line))

function writeNamedTax(line: NamedTaxLine): string {
  return element('Porez', textElement('Naziv', line.name) + writeAmounts(line))
}

function writeAmounts({ rate, base, amount }: TaxLine): string {
  return textElement('Stopa', rate) + textElement('Osnovica', base) + textElement('Iznos', amount)
}

function writeFee({ name, amount }: Fee): string {
  return element('Naknada', textElement('NazivN', name) + textElement('IznosN', amount))
}
