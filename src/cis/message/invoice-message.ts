import type { Fee, FiscalDocument, NamedTaxLine, TaxLine } from '../../domain/sale/sale.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import type { FiscalMessage } from '../../fiscal/ports/tax-authority.ts'
import { FISCAL_NAMESPACE } from '../namespaces.ts'
import { element, escapeText, listElement, optionalElement, textElement } from './xml-writer.ts'

export interface UnsignedMessage {
  xml: string
  /** The root's `Id`, which the signature refers to. */
  id: string
}

/**
 * Writes a RacunZahtjev, unsigned. The order of the elements is the schema's sequence, a wrong one is `s001`
 * (CIS specification, 2.1 and 2.2); what is absent is not written, not even empty.
 */
export function writeMessage(message: FiscalMessage): UnsignedMessage {
  const id = `racun-${message.messageId}` // an XML id must not begin with a digit
  const root = `<tns:RacunZahtjev xmlns:tns="${FISCAL_NAMESPACE}" Id="${escapeText(id)}">`
  return { id, xml: `${root}${writeHeader(message)}${writeReceipt(message)}</tns:RacunZahtjev>` }
}

function writeHeader({ messageId, sentAt }: FiscalMessage): string {
  return element(
    'Zaglavlje',
    textElement('IdPoruke', messageId) + textElement('DatumVrijeme', formatZagreb(sentAt, 'dd.MM.yyyyTHH:mm:ss')),
  )
}

function writeReceipt({ document, lateDelivery }: FiscalMessage): string {
  return element(
    'Racun',
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
      optionalElement('OibPrimateljaRacuna', document.recipientOib),
  )
}

function writeNumber({ number, premisesCode, registerMark }: FiscalDocument): string {
  return textElement('BrOznRac', number) + textElement('OznPosPr', premisesCode) + textElement('OznNapUr', registerMark)
}

function writeTax(line: TaxLine): string {
  return element('Porez', writeAmounts(line))
}

function writeNamedTax(line: NamedTaxLine): string {
  return element('Porez', textElement('Naziv', line.name) + writeAmounts(line))
}

function writeAmounts({ rate, base, amount }: TaxLine): string {
  return textElement('Stopa', rate) + textElement('Osnovica', base) + textElement('Iznos', amount)
}

function writeFee({ name, amount }: Fee): string {
  return element('Naknada', textElement('NazivN', name) + textElement('IznosN', amount))
}
