import type { XmlElement } from 'libxml2-wasm'
import { errorList, type OtherAnswer } from '../answer.ts'
import { type CisError, cisError } from '../errors.ts'
import { type JudgeContext, judgeForm } from '../judge.ts'
import { answerRootOf, type RequestOperation } from '../soap.ts'
import { canonicalize, childElements, childNamed, DSIG_NS, EXCLUSIVE_C14N, escapeXml, F73_NS, textAt } from '../xml.ts'
import { messageTime } from '../zagreb.ts'
import { findingsIn } from './judge-findings.ts'
import { all, dayOf, dayText, judgeDeletion, judgeRegistration, type PremisesHours } from './judge-hours.ts'

/** A processed message that is no sale. */
export interface ReceivedRequest {
  operation: RequestOperation
  /** IdPoruke */
  messageId: string
  oib: string
  premisesCode: string
  requestXml: string
  /** Of the answer; null when there are `errors`. */
  code: string | null
  errors: CisError[]
}

/** Code and words of what is done; the answer with hours has none. */
const DONE: Record<RequestOperation, readonly [code: string, text: string]> = {
  provjera: ['v100', cisError('v100').message],
  promijeniPodatkeRacuna: ['p005', 'Podaci računa su uspješno promijenjeni.'],
  prijaviRadnoVrijeme: ['p003', 'Radno vrijeme je uspješno prijavljeno.'],
  obrisiRadnoVrijeme: ['p004', 'Radno vrijeme je uspješno obrisano.'],
  dohvatiRadnoVrijeme: ['', ''],
}

/** Checks, corrections and working hours (docs/spec/cis.md, Other messages), as the service keeps them. */
export function createRequestLedger() {
  const requested: ReceivedRequest[] = []
  const premises = new Map<string, PremisesHours>()
  /** The sales with a JIR as they were fiscalized, but for NakDost. */
  const fiscalized = new Set<string>()

  function hoursAt(key: string): PremisesHours {
    const known = premises.get(key) ?? noHours()
    premises.set(key, known)
    return known
  }

  function faults(operation: RequestOperation, request: XmlElement, context: JudgeContext, key: string): string[] {
    if (operation === 'provjera') return findingsIn(request, context.now)
    const today = dayOf(messageTime(context.now).slice(0, 10))
    const receipt = childNamed(request, F73_NS, 'Racun')
    if (receipt !== null) {
      const isToday = dayOf((textAt(receipt, 'DatVrijeme') ?? '').slice(0, 10)) === today
      return [...(isToday ? [] : ['s011']), ...(fiscalized.has(saleText(receipt)) ? [] : ['s012'])]
    }
    const device = context.registry?.find((one) => `${one.oib}/${one.premisesCode}` === key)
    if (context.registry !== null && !device) return ['s101']
    return device?.closed ? ['s102'] : hoursCodes(operation, request, today, hoursAt(key))
  }

  return {
    requested,
    fiscalized(request: XmlElement): void {
      const receipt = childNamed(request, F73_NS, 'Racun')
      if (receipt !== null) fiscalized.add(saleText(receipt))
    },
    /** Judges, does and records one message. @returns the record, the word of a good answer, and how that is written */
    process(
      operation: RequestOperation,
      request: XmlElement,
      requestXml: string,
      context: JudgeContext,
      imposed: CisError | null,
    ) {
      // The answer is written when the request is gone.
      const [oib, operator] = [read(request, 'Oib'), read(request, 'OibOper')]
      const premisesCode = read(request, 'OznPosPr') || (textAt(request, 'Racun', 'BrRac', 'OznPosPr') ?? '')
      const key = `${oib}/${premisesCode}`
      const isSigned = operation !== 'provjera' || childNamed(request, DSIG_NS, 'Signature') !== null
      const formError = imposed ?? judgeForm(request, context, isSigned)
      const errors = formError ? [formError] : faults(operation, request, context, key).map((code) => cisError(code))
      const isDone = errors.length === 0
      if (isDone) apply(operation, request, hoursAt(key))
      const [code, text] = DONE[operation]
      const messageId = textAt(request, 'Zaglavlje', 'IdPoruke') ?? ''
      const message: ReceivedRequest = {
        operation,
        messageId,
        oib,
        premisesCode,
        requestXml,
        errors,
        code: isDone ? code : null,
      }
      requested.push(message)
      const hours = (code: string, has: PremisesHours) => fetched(oib, code, operator, has)
      const receipt = operation === 'provjera' ? childNamed(request, F73_NS, 'Racun') : null
      const repeated = receipt === null ? '' : canonicalize(receipt, EXCLUSIVE_C14N)
      const isFetch = operation === 'dohvatiRadnoVrijeme'
      const other: OtherAnswer = {
        root: answerRootOf(operation),
        done: (word) => (isFetch ? hours(word, hoursAt(key)) : repeated + done(code, word)),
        // The schema wants the premises also beside an error.
        before: isFetch ? hours(premisesCode, noHours()) : repeated,
      }
      return { message, word: isDone ? text || premisesCode : null, other }
    },
  }
}

const noHours = (): PremisesHours => ({ regular: new Map(), exceptions: new Map() })

const read = (request: XmlElement, name: string): string =>
  [['PoslovniProstor'], ['Racun'], []].map((path) => textAt(request, ...path, name)).find((text) => text !== null) ?? ''

function hoursIn(request: XmlElement): XmlElement | undefined {
  const part = childNamed(request, F73_NS, 'PoslovniProstor')
  return part === null
    ? undefined
    : childElements(part).find(({ name }) => name === 'RadnoVrijeme' || name === 'BrisanjeRadnogVremena')
}

function apply(operation: RequestOperation, request: XmlElement, { regular, exceptions }: PremisesHours): void {
  const content = hoursIn(request)
  if (!content) return
  const isDeleted = operation === 'obrisiRadnoVrijeme'
  for (const [has, name, field] of [
    [regular, 'Redovno', 'DatumOd'],
    [exceptions, 'Iznimke', 'Datum'],
  ] as const) {
    for (const one of all(content, name)) {
      const day = dayOf(textAt(one, field))
      if (isDeleted) has.delete(day)
      else has.set(day, xmlOf(one))
    }
  }
}

function hoursCodes(operation: RequestOperation, request: XmlElement, today: number, has: PremisesHours): string[] {
  if (operation === 'dohvatiRadnoVrijeme') return has.regular.size + has.exceptions.size === 0 ? ['s110'] : []
  const content = hoursIn(request)
  if (!content) return ['s123']
  const operator = read(request, 'OibOper')
  return operation === 'prijaviRadnoVrijeme'
    ? judgeRegistration(content, operator, today, has, xmlOf)
    : judgeDeletion(content, operator, today, has)
}

const xmlOf = (element: XmlElement) => canonicalize(element, EXCLUSIVE_C14N).replaceAll(` xmlns:tns="${F73_NS}"`, '')

const NOT_FISCALIZED = ['NakDost', 'PromijenjeniNacinPlac', 'PromijenjeniOibPrimateljaRacuna']

const saleText = (receipt: XmlElement) =>
  childElements(receipt)
    .filter(({ name }) => !NOT_FISCALIZED.includes(name))
    .map(xmlOf)
    .join('')

/** What a check says is written as errors are, also when there are none. */
const done = (code: string, text: string) =>
  code.startsWith('v')
    ? errorList([{ code, message: text }])
    : `<tns:PorukaOdgovora><tns:SifraPoruke>${code}</tns:SifraPoruke><tns:Poruka>${escapeXml(text)}</tns:Poruka></tns:PorukaOdgovora>`

/** Regular hours end on the day before the next ones begin. */
function fetched(oib: string, premisesCode: string, operator: string, { regular, exceptions }: PremisesHours): string {
  const froms = [...regular.keys()].sort((a, b) => a - b)
  const sets = froms.map((from, i) => {
    const next = froms[i + 1]
    const until = next === undefined ? '' : `<tns:DatumDo>${dayText(next - 1)}</tns:DatumDo>`
    return (regular.get(from) ?? '').replace('</tns:DatumOd>', `$&${until}`)
  })
  const days = [...exceptions.keys()].sort((a, b) => a - b).map((day) => exceptions.get(day))
  const hours = `<tns:RadnoVrijeme>${sets.join('')}${days.join('')}</tns:RadnoVrijeme>`
  return `<tns:PoslovniProstor><tns:Oib>${oib}</tns:Oib><tns:OznPosPr>${premisesCode}</tns:OznPosPr>${hours}<tns:OibOper>${operator}</tns:OibOper></tns:PoslovniProstor>`
}
