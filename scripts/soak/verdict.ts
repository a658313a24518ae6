import { momentsOf } from '../../src/simulator/zagreb.ts'
import { judge } from '../chaos/judge.ts'
import type { Told } from '../chaos/report.ts'
import { growing } from './days.ts'
import type { SoakOptions } from './options.ts'
import { restartDayOf } from './plan.ts'
import type { SoakOutcome } from './run.ts'

/** By then everything has its JIR: two days, as the law has it. */
const CONFIRMED_IN_MS = 48 * 3_600_000

/** Every promise of a run, kept or not. */
export function findingsOf(outcome: SoakOutcome, options: SoakOptions): Told[] {
  const { evidence, days, watchdog, tls, ownEnds, stop } = outcome
  const [first, last] = [days[restartDayOf(options)], days.at(-1)]
  const refusals = evidence.sales.flatMap((sale) => sale.refusals)
  return [
    {
      looked: days.length,
      promise: 'days: on the last one nothing is larger than on the first one after the restart',
      problems: first && last && days.length === options.days ? growing(first, last) : ['days are missing'],
    },
    ...judge(evidence),
    {
      looked: evidence.received.length,
      promise: 'messages: each sale got its JIR within 48 hours',
      problems: late(outcome),
    },
    {
      looked: outcome.withPaper.size,
      promise: `receipts came out where there was paper; ${outcome.rollsUsed} rolls were used up`,
      problems: unprinted(outcome),
    },
    {
      looked: outcome.lastOfRolls.length,
      promise: 'receipts came out at the very end of a roll, once, and are failed or printed',
      problems: atTheEndOfRolls(outcome),
    },
    {
      looked: evidence.sales.length,
      promise: 'sales, none of them refused',
      problems: [...new Set(refusals)].map(
        (one) => `${one}: ${refusals.filter((other) => other === one).length} times`,
      ),
    },
    {
      looked: watchdog.reports,
      promise: 'signs of life came in time; the watchdog ended the daemon once, when it had been stopped',
      problems:
        watchdog.restarts.length === 1 ? [] : [`it ended it ${watchdog.restarts.length} times`, ...watchdog.restarts],
    },
    {
      looked: 2,
      promise: 'certificates were renewed: that for TLS by itself, that of the company by an upload',
      problems: [
        ...(tls[0] === tls[1] ? ['the TLS certificate is still the same'] : []),
        ...(outcome.newCertificateInUse ? [] : ['the new certificate of the company is not in use']),
      ],
    },
    {
      looked: days.at(-1)?.stock.backups ?? 0,
      promise: 'copies of the nightly backup are kept',
      problems: days.at(-1)?.stock.backups === Math.min(options.days, 3) ? [] : ['more or fewer were to be'],
    },
    {
      looked: 1,
      promise: 'daemon ended only when it was told to, with exit code 0',
      problems: [...ownEnds, ...(stop.code === 0 ? [] : [stop])].map(
        ({ code, signal, lastWords }) => `${code ?? signal}: ${lastWords}`,
      ),
    },
  ]
}

function late({ evidence }: SoakOutcome): string[] {
  const firstJir = new Map<string, (typeof evidence.received)[number]>()
  for (const message of evidence.received)
    if (message.jir && !firstJir.has(message.zki)) firstJir.set(message.zki, message)
  return evidence.kept.invoices.flatMap(({ zki, number, premisesCode, occurredAt }) => {
    const sentAt = momentsOf(firstJir.get(zki)?.sentAt ?? '')
    const took = sentAt ? sentAt.latest - Date.parse(occurredAt) : Number.NaN
    return took <= CONFIRMED_IN_MS ? [] : [`${number}/${premisesCode} of ${occurredAt}: ${took / 3_600_000} hours`]
  })
}

/** The printer had cut them and stopped before it could confirm it, so fiskd may not say that they are printed. */
function atTheEndOfRolls({ evidence, lastOfRolls }: SoakOutcome): string[] {
  const statusOf = new Map(evidence.kept.receipts.map(({ invoiceId, status }) => [invoiceId, status]))
  const byZki = new Map(evidence.kept.invoices.map((invoice) => [invoice.zki, invoice]))
  const twice = lastOfRolls.filter((zki, at) => lastOfRolls.indexOf(zki) !== at)
  return [
    ...twice.map((zki) => `the receipt with ZKI ${zki} came out more than once`),
    ...lastOfRolls.flatMap((zki) => {
      const status = statusOf.get(byZki.get(zki)?.id ?? '')
      return status === 'failed' || status === 'printed' ? [] : [`that with ZKI ${zki} is ${status ?? 'unknown'}`]
    }),
  ]
}

function unprinted({ evidence, withPaper }: SoakOutcome): string[] {
  const statusOf = new Map(evidence.kept.receipts.map(({ invoiceId, status }) => [invoiceId, status]))
  const onPaper = new Set(evidence.paper)
  return evidence.kept.invoices
    .filter(({ id, zki }) => withPaper.has(id) && !(onPaper.has(zki) && statusOf.get(id) === 'printed'))
    .map(({ id, number, premisesCode }) => `${number}/${premisesCode} is ${statusOf.get(id) ?? 'unknown'}`)
}
