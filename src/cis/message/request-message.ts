import type { HoursDates, RegularHours, RegularSpan, Span, WorkingHours } from '../../domain/hours/hours.ts'
import type {
  AuthorityMessage,
  AuthorityOperation,
  AuthorityRequest,
  OfPremises,
} from '../../fiscal/ports/tax-authority.ts'
import { rootElement, type UnsignedMessage, writeReceiptFields } from './invoice-message.ts'
import { element, optionalElement, textElement } from './xml-writer.ts'

const CONTENT: { [O in AuthorityOperation]: (request: AuthorityRequest & { operation: O }) => string } = {
  provjera: (request) => element('Racun', writeReceiptFields(request)),
  promijeniPodatkeRacuna: (request) =>
    element(
      'Racun',
      writeReceiptFields(request) +
        textElement('PromijenjeniNacinPlac', request.paymentMethod) +
        // Mandatory, and empty for no recipient.
        textElement('PromijenjeniOibPrimateljaRacuna', request.recipientOib ?? ''),
    ),
  prijaviRadnoVrijeme: (request) => premises(request, element('RadnoVrijeme', writeHours(request.hours))),
  obrisiRadnoVrijeme: (request) => premises(request, element('BrisanjeRadnogVremena', writeDates(request.dates))),
  dohvatiRadnoVrijeme: (request) => ofPremises(request) + textElement('VrstaRadnogVremena', 'SVE') + operator(request),
}
export const AUTHORITY_OPERATIONS = Object.keys(CONTENT) as AuthorityOperation[]

/** The name of the root elements: this with `Zahtjev` is the message, with `Odgovor` its answer. */
export const rootOf = (operation: AuthorityOperation) => operation.charAt(0).toUpperCase() + operation.slice(1)

/** A message that is no sale, in the order of its schema (docs/spec/cis.md, Other messages). */
export function writeRequest(message: AuthorityMessage): UnsignedMessage {
  const { messageId, request } = message
  const id = `poruka-${messageId}`
  const content = CONTENT[request.operation] as (request: AuthorityRequest) => string
  return { id, xml: rootElement(`${rootOf(request.operation)}Zahtjev`, id, message, content(request)) }
}

const ofPremises = ({ companyOib, premisesCode }: OfPremises) =>
  textElement('Oib', companyOib) + textElement('OznPosPr', premisesCode)
const operator = ({ operatorOib }: OfPremises) => textElement('OibOper', operatorOib)
const premises = (of: OfPremises, content: string) =>
  element('PoslovniProstor', ofPremises(of) + content + operator(of))

/** Sets in the order of their days, as the authority compares each with the one before. */
function writeHours({ regular, exceptions }: WorkingHours): string {
  const sets = [...regular].sort((one, other) => (one.from < other.from ? -1 : 1)).map(writeRegular)
  const days = exceptions.map(({ date, spans }) => {
    const isSplit = spans.length > 1
    const name = isSplit ? 'Dvokratno' : 'Jednokratno'
    const written = spans.map((span, index) =>
      element(name, (isSplit ? textElement('DioDvokratnog', String(index + 1)) : '') + writeSpan(span)),
    )
    return element('Iznimke', textElement('Datum', dayText(date)) + written.join(''))
  })
  return sets.join('') + days.join('')
}

function writeRegular({ from, until, note, kind, spans }: RegularHours): string {
  const end = until === undefined ? '' : textElement('DatumDo', dayText(until))
  const head = textElement('DatumOd', dayText(from)) + end + optionalElement('Napomena', note ?? null)
  return element('Redovno', head + writeWeek(kind, spans))
}

function writeWeek(kind: RegularHours['kind'], spans: readonly RegularSpan[]): string {
  const each = (name: string, mark: (span: RegularSpan) => string) =>
    spans
      .map((span) => element(name, textElement('DanUTjednu', String(span.day)) + mark(span) + writeSpan(span)))
      .join('')
  switch (kind) {
    case 'by_arrangement':
      return element('PoDogovoru', textElement('RedovnoPoDogovoru', 'DA'))
    case 'single':
      return each('Jednokratno', () => '')
    case 'split':
      return each('Dvokratno', ({ part }) => textElement('DioDvokratnog', String(part)))
    case 'odd_even':
      return each('ParniNeparni', ({ parity }) => textElement('ParNepar', parity === 'even' ? 'P' : 'N'))
  }
}

const writeSpan = ({ from, to }: Span) => textElement('RadnoVrijemeOd', from) + textElement('RadnoVrijemeDo', to)

function writeDates({ regular, exceptions }: HoursDates): string {
  const day = (name: string, field: string) => (date: string) => element(name, textElement(field, dayText(date)))
  return regular.map(day('Redovno', 'DatumOd')).join('') + exceptions.map(day('Iznimke', 'Datum')).join('')
}

/** `2026-11-30` as messages have it: `30.11.2026`. */
const dayText = (iso: string) => iso.split('-').reverse().join('.')
