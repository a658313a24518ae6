import { momentsOf } from '../../src/simulator/zagreb.ts'
import type { Received } from './authority.ts'
import { differences, groupBy, severalOf, type Told } from './compare.ts'
import { type Kept, nameOf, type Stored } from './database.ts'
import { paperProblems } from './judge-paper.ts'
import type { Sale } from './sale.ts'
import type { Shown } from './settle.ts'
import { wrongSums } from './sums.ts'

/** The five sources that must agree. */
export interface Evidence {
  /** What the machines did and saw. */
  sales: Sale[]
  /** What `/v1` lists. */
  shown: Shown[]
  kept: Kept
  /** What the authority received. */
  received: Received[]
  /** The ZKIs on paper, each as often as it stands there. */
  paper: string[]
  /** Whether the printers tell what came out, as files do not. */
  printersTell?: boolean
  /** When the database has stored outcomes that it has lost since: such a sale is sent again. */
  lost?: readonly { from: number; to: number }[]
}

export type CheckName =
  | 'answered'
  | 'stored'
  | 'shown'
  | 'numbers'
  | 'zki'
  | 'jir'
  | 'keys'
  | 'sales'
  | 'confirmed'
  | 'bytes'
  | 'final'
  | 'times'
  | 'paper'
  | 'sums'
  | 'stopped'
  | 'intact'

export interface Finding {
  check: CheckName
  /** What was compared. */
  looked: number
  /** What holds when there are no problems; follows the number. */
  promise: string
  problems: string[]
}

/** Compares the sources. Each finding is one promise; it is kept when it has no problems. */
export function judge(evidence: Evidence): Finding[] {
  const { sales, shown, kept, received, paper, printersTell = false, lost = [] } = evidence
  const byId = new Map(kept.invoices.map((invoice) => [invoice.id, invoice]))
  const answers = sales.flatMap((sale) => sale.seen.map((seen) => ({ sale, seen })))
  const bySale = groupBy(kept.invoices, ({ deviceId, occurredAt }) => `${deviceId} ${occurredAt}`)
  const byNumber = new Map(kept.invoices.map((invoice) => [nameOf(invoice), invoice]))
  const heard = received.map((message) => ({ message, name: nameOf({ ...message, year: yearOf(message.occurredAt) }) }))

  return [
    {
      check: 'answered',
      looked: sales.length,
      promise: 'sales were answered with 200 in the end',
      problems: sales
        .filter(({ seen }) => seen.length === 0)
        .map((sale) => `${saleName(sale)} never was: ${sale.refusals.at(-1) ?? 'no answer'}`),
    },
    {
      check: 'stored',
      looked: answers.length,
      promise: 'answers with 200 are stored with the id, number and ZKI that they told',
      problems: answers.flatMap(({ sale, seen }) => {
        const invoice = byId.get(seen.id)
        if (invoice === undefined) return [`${seen.id}, number ${seen.number} of ${saleName(sale)}, is not stored`]
        const told = [seen.number, seen.zki, sale.machine.id, sale.occurredAt, sale.total].join(' ')
        const holds = [invoice.number, invoice.zki, invoice.deviceId, invoice.occurredAt, invoice.total].join(' ')
        return told === holds ? [] : [`${seen.id} was told as ${told} and is stored as ${holds}`]
      }),
    },
    {
      check: 'shown',
      looked: shown.length,
      promise: 'invoices that /v1 lists are those of the database, all of them',
      problems: differences(shown.map(shownText), kept.invoices.map(shownText)),
    },
    {
      check: 'numbers',
      looked: kept.invoices.length,
      promise: 'numbers are 1 to n at each premises in each year',
      problems: gaps(kept.invoices),
    },
    {
      check: 'zki',
      looked: received.length + answers.length,
      promise: 'messages and answers carry the one ZKI of their invoice',
      problems: [
        ...heard.flatMap(({ message, name }) => {
          const zki = byNumber.get(name)?.zki
          if (zki === undefined) return [`${name} was sent with ZKI ${message.zki} and is not stored`]
          return zki === message.zki ? [] : [`${name} was sent with ZKI ${message.zki} and is stored with ${zki}`]
        }),
        ...heard.flatMap(({ message, name }) => (message.zkiMatches === true ? [] : [`the ZKI of ${name} is wrong`])),
        ...severalOf(
          'ZKIs',
          answers.map(({ seen }) => [seen.id, seen.zki]),
        ),
      ],
    },
    {
      check: 'jir',
      looked: kept.invoices.length,
      promise: 'invoices have at most one JIR, which the authority issued, over all the sources',
      problems: severalOf('JIRs', [
        ...heard.map(({ message, name }): Told => [name, message.jir]),
        ...kept.invoices.map((invoice): Told => [nameOf(invoice), invoice.jir]),
        ...shown.map(({ id, jir }): Told => [nameById(byId, id), jir]),
        ...answers.map(({ seen }): Told => [nameById(byId, seen.id), seen.jir]),
      ]).concat(forged(kept.invoices, received)),
    },
    {
      check: 'keys',
      looked: kept.keys.length,
      promise: 'idempotency keys stand for one invoice each',
      problems: severalOf('invoices', [
        ...kept.keys.map(({ key, invoiceId }): Told => [`key ${key}`, invoiceId]),
        ...answers.map(({ sale, seen }): Told => [`key ${sale.key}`, seen.id]),
      ]),
    },
    {
      check: 'sales',
      looked: kept.invoices.length,
      promise: 'stored invoices are one for each sale, and none that nobody sold',
      problems: [
        ...[...bySale].filter(([, of]) => of.length > 1).map(([name, of]) => `${name} has ${of.map(nameOf).join()}`),
        ...notSold(sales, bySale),
      ],
    },
    {
      check: 'confirmed',
      looked: kept.invoices.length,
      promise: 'invoices are confirmed',
      problems: kept.invoices
        .filter(({ status }) => status !== 'confirmed')
        .map((invoice) => `${nameOf(invoice)} is ${invoice.status}`),
    },
    {
      check: 'bytes',
      looked: answers.length,
      promise: 'answers to a key have the same bytes each time',
      problems: severalOf(
        'answers',
        answers.map(({ sale, seen }) => [`key ${sale.key}`, seen.text]),
      ),
    },
    {
      check: 'final',
      looked: answers.filter(({ seen }) => seen.status === 'confirmed').length,
      promise: 'answers with a JIR were final: nothing was sent after them',
      problems: sentAfterwards(answers, heard, byId, lost),
    },
    {
      check: 'times',
      looked: received.length,
      promise: 'messages are not older than their sale',
      problems: heard
        .filter(({ message }) => isBefore(message.sentAt, message.occurredAt))
        .map(({ message, name }) => `${name} of ${message.occurredAt} was sent at ${message.sentAt}`),
    },
    {
      check: 'paper',
      looked: paper.length,
      promise: 'receipts came out, one original of an invoice at most, and none that was said not to be printed',
      problems: paperProblems(paper, kept, printersTell),
    },
    {
      check: 'sums',
      looked: kept.sums.length,
      promise: 'sums of days and months are those of the invoices',
      problems: wrongSums(kept),
    },
    {
      check: 'stopped',
      looked: new Set(kept.invoices.map(({ premisesCode }) => premisesCode)).size,
      promise: 'premises were never stopped for sales that the database would lack, and their record was sound',
      problems: kept.stopped,
    },
    { check: 'intact', looked: 1, promise: 'database is intact', problems: kept.damage },
  ]
}

type Answers = { sale: Sale; seen: Sale['seen'][number] }[]

const nameById = (byId: Map<string, Stored>, id: string) => {
  const invoice = byId.get(id)
  return invoice === undefined ? id : nameOf(invoice)
}
const saleName = ({ machine, occurredAt }: Sale) => `the sale of ${occurredAt} at ${machine.premisesCode}`
const yearOf = (messageTime: string) => Number(messageTime.slice(6, 10))
const shownText = ({ id, number, zki, status, jir }: Shown) => [id, number, zki, status, jir].join(' ')

function gaps(invoices: readonly Stored[]): string[] {
  const sequences = groupBy(invoices, ({ premisesCode, year }) => `${premisesCode}/${year}`)
  return [...sequences].flatMap(([name, of]) => {
    const numbers = of.map(({ number }) => Number(number)).sort((one, other) => one - other)
    return numbers.flatMap((number, i) =>
      number === i + 1 ? [] : [`${name}: ${number} stands where ${i + 1} belongs`],
    )
  })
}

function forged(invoices: readonly Stored[], received: readonly Received[]): string[] {
  const issued = new Set(received.map(({ jir }) => jir))
  return invoices
    .filter(({ jir }) => jir !== null && !issued.has(jir))
    .map((invoice) => `${nameOf(invoice)} has JIR ${invoice.jir}, which nobody issued`)
}

function notSold(sales: readonly Sale[], bySale: Map<string, Stored[]>): string[] {
  const sold = new Set(sales.map(({ machine, occurredAt }) => `${machine.id} ${occurredAt}`))
  return [...bySale].filter(([name]) => !sold.has(name)).map(([name]) => `${name} is stored, and nobody sold it`)
}

function sentAfterwards(
  answers: Answers,
  heard: { message: Received; name: string }[],
  byId: Map<string, Stored>,
  lost: readonly { from: number; to: number }[],
): string[] {
  const toldAt = new Map<string, number>()
  for (const { seen } of answers) {
    const name = nameById(byId, seen.id)
    const isLost = lost.some(({ from, to }) => from <= seen.at && seen.at <= to)
    if (seen.status === 'confirmed' && !isLost) toldAt.set(name, Math.min(seen.at, toldAt.get(name) ?? seen.at))
  }
  return heard
    .filter(({ message, name }) => message.arrivedAt > (toldAt.get(name) ?? Number.POSITIVE_INFINITY))
    .map(({ name }) => `${name} was sent once more after a machine had its JIR`)
}

/** Whether one message time lies before another, however one reads the hour that October has twice. */
function isBefore(one: string, other: string): boolean {
  const [moment, than] = [momentsOf(one), momentsOf(other)]
  return moment === null || than === null || moment.latest < than.earliest
}
