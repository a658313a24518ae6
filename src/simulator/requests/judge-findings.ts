import type { XmlElement } from 'libxml2-wasm'
import { childElements, childNamed, F73_NS, textAt } from '../xml.ts'
import { momentsOf } from '../zagreb.ts'

const HOURS = 60 * 60 * 1000
const RATES_OF_LAW = [0n, 500n, 1300n, 2500n]

type Told = [code: string, applies: boolean]

/** What the authority finds in a receipt afterwards (CIS specification, ch. 13; docs/spec/cis.md): the codes in order. */
export function findingsIn(request: XmlElement, now: number): string[] {
  const receipt = childNamed(request, F73_NS, 'Racun')
  if (receipt === null) return []
  const told = [...ofTime(request, now), ...ofAmounts(receipt), ...ofRest(receipt)]
  return told.flatMap(([code, applies]) => (applies ? code : [])).sort()
}

function ofTime(request: XmlElement, now: number): Told[] {
  const sent = momentsOf(textAt(request, 'Zaglavlje', 'DatumVrijeme') ?? '')
  const sold = momentsOf(textAt(request, 'Racun', 'DatVrijeme') ?? '')
  if (sent === null || sold === null) return []
  const age = now - sold.latest
  return [
    ['v101', sent.latest < now - 6 * HOURS || sent.earliest > now + 6 * HOURS],
    ['v103', sold.earliest > now + 6 * HOURS],
    ['v104', sold.earliest > sent.latest],
    ['v152', age > 48 * HOURS && age <= 120 * HOURS],
    ['v153', age > 120 * HOURS],
  ]
}

function ofAmounts(receipt: XmlElement): Told[] {
  const inVat = ['true', '1'].includes(textAt(receipt, 'USustPdv') ?? '')
  const amount = (name: string) => hundredths(textAt(receipt, name))
  const [total, exempt, margin] = [amount('IznosUkupno'), amount('IznosOslobPdv'), amount('IznosMarza')]
  const untaxed = amount('IznosNePodlOpor')
  const vat = columnsOf(receipt, 'Pdv', 'Stopa', 'Osnovica', 'Iznos')
  const pnp = columnsOf(receipt, 'Pnp', 'Stopa', 'Osnovica', 'Iznos')
  const others = columnsOf(receipt, 'OstaliPor', 'Stopa', 'Osnovica', 'Iznos')
  const fees = columnsOf(receipt, 'Naknade', 'IznosN')
  const [vatBases, pnpBases] = [sum(vat.map(([, base]) => base)), sum(pnp.map(([, base]) => base))]
  const taxes = sum([...vat, ...pnp].map(([, , tax]) => tax))
  const rest = vatBases + taxes + exempt + untaxed + sum(fees.flat()) - total
  const differs = inVat && (rest > 1n || rest < -1n)
  /** The codes from this one on: above the total, below it, of the other sign. */
  const misfits = (first: number, part: bigint, isJudged: boolean): Told[] => [
    [`v${first}`, isJudged && total >= 0n && part > total],
    [`v${first + 1}`, isJudged && total <= 0n && part < total],
    [`v${first + 2}`, isJudged && ((total > 0n && part < 0n) || (total < 0n && part > 0n))],
  ]
  return [
    ['v110', inVat && vat.some(([rate]) => !RATES_OF_LAW.includes(rate))],
    ...misfits(112, vatBases, differs),
    ['v117', pnp.some(([rate]) => rate < 0n)],
    ['v118', pnp.some(([rate]) => rate > 300n)],
    ...misfits(120, pnpBases, differs || !inVat),
    ['v125', others.flat().some((value) => value !== 0n)],
    ...misfits(126, exempt, differs),
    ...misfits(129, margin, differs),
    ...misfits(132, untaxed, differs),
    ['v142', !inVat && vat.flat().some((value) => value !== 0n)],
    ['v143', !inVat && exempt !== 0n],
    ['v144', !inVat && margin !== 0n],
    ['v145', !inVat && untaxed !== 0n],
    ['v160', inVat && vat.some((tax) => excess(tax) < -TEN_CENTS)],
    ['v161', inVat && vat.some((tax) => excess(tax) > TEN_CENTS)],
    ['v162', pnp.some((tax) => excess(tax) < -TEN_CENTS)],
    ['v163', pnp.some((tax) => excess(tax) > TEN_CENTS)],
    ['v164', fees.flat().some((fee) => fee > 13_500n)],
    ['v165', fees.flat().some((fee) => fee < -13_500n)],
    ['v166', differs],
  ]
}

function ofRest(receipt: XmlElement): Told[] {
  const number = textAt(receipt, 'BrRac', 'BrOznRac') ?? ''
  const total = hundredths(textAt(receipt, 'IznosUkupno'))
  const isByTransfer = ['T', 'O'].includes(textAt(receipt, 'NacinPlac') ?? '')
  const isBeyond = (limit: bigint) => total > limit || total < -limit
  return [
    ['v105', /^0+$/.test(number)],
    ['v106', number.length > 6],
    ['v141', Boolean(textAt(receipt, 'SpecNamj'))],
    ['v167', isByTransfer && isBeyond(15_000_000n)],
    ['v168', !isByTransfer && isBeyond(1_000_000n)],
  ]
}

const TEN_CENTS = 100_000n

/** By how much a tax is above base times rate, in ten-thousandths of a cent. */
const excess = ([rate = 0n, base = 0n, tax = 0n]: bigint[]) => tax * 10_000n - base * rate

/** Of each entry of a list the values with these names, in hundredths. */
function columnsOf(receipt: XmlElement, list: string, ...names: string[]): [bigint, bigint, bigint][] {
  const element = childNamed(receipt, F73_NS, list)
  const entries = element === null ? [] : childElements(element)
  return entries.map((entry) => names.map((name) => hundredths(textAt(entry, name))) as [bigint, bigint, bigint])
}

/** The schema wants two decimals; a missing amount is 0. */
const hundredths = (text: string | null) => BigInt((text ?? '0').replace(/[.+]/g, ''))
const sum = (amounts: bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)
