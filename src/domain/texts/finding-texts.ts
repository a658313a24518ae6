import { type FindingCode, type FindingSubject, subjectOf } from '../sale/findings.ts'
import { type Both, joined, together } from './both.ts'

/** What each finding says of a sale (docs/spec/cis.md, Findings): a sentence without capital and full stop. */
export function findingText(code: FindingCode): Both {
  return FINDINGS[code]
}

/** What the office does about findings. @param overtaxing the company whose setting is why they are there, by its name */
export function findingAdvice(codes: readonly FindingCode[], overtaxing?: string): Both {
  const content = overtaxing === undefined ? ADVICE.content : wholeTotalText(overtaxing)
  const subjects = [...new Set(codes.map(subjectOf))]
  return joined(
    subjects.map((subject) => (subject === 'content' ? content : ADVICE[subject])),
    ' ',
  )
}

const wholeTotalText = (company: string): Both => ({
  en: `The VAT of ${company} is taken out of the whole total, deposits included: in its settings choose the total without fees as the base of the default rate.`,
  hr: `PDV tvrtke ${company} računa se od cijelog iznosa, zajedno s povratnom naknadom: u njezinim postavkama kao osnovu za zadanu stopu odaberite iznos bez naknada.`,
})

const ADVICE: Record<FindingSubject, Both> = {
  content: {
    en: 'Have your technician correct what the device sends, or what is set for it, so that the next invoices are right.',
    hr: 'Zamolite tehničara da ispravi ono što uređaj šalje ili što je za njega postavljeno, da sljedeći računi budu ispravni.',
  },
  clock: {
    en: 'Have your technician check the clocks of the device and of the computer.',
    hr: 'Zamolite tehničara da provjeri sat uređaja i sat računala.',
  },
  delay: {
    en: 'It was delivered late: there is nothing to correct in it.',
    hr: 'Dostavljen je sa zakašnjenjem: na njemu nema što ispravljati.',
  },
}

const VAT_BASES = { en: 'the sum of the VAT bases', hr: 'zbroj osnovica PDV-a' }
const PNP_BASES = { en: 'the sum of the bases of the consumption tax', hr: 'zbroj osnovica poreza na potrošnju' }
const EXEMPT = { en: 'the amount exempt from VAT', hr: 'iznos oslobođen PDV-a' }
const MARGIN = { en: 'the amount under the margin scheme', hr: 'iznos po posebnom postupku oporezivanja marže' }
const NON_TAXABLE = { en: 'the amount not subject to tax', hr: 'iznos koji ne podliježe oporezivanju' }

const above = (part: Both) => together`${part}${{ en: ' is above the total', hr: ' veći je od ukupnog iznosa' }}`
const below = (part: Both) => together`${part}${{ en: ' is below the total', hr: ' manji je od ukupnog iznosa' }}`
const otherSign = (part: Both) =>
  together`${part}${{ en: ' has another sign than the total', hr: ' nema isti predznak kao ukupni iznos' }}`

const outside = (part: Both) =>
  together`${part}${{ en: ' is not zero, though the issuer is outside the VAT system', hr: ' nije nula, a izdavatelj nije u sustavu PDV-a' }}`
const tooLow = (tax: Both) =>
  together`${tax}${{ en: ' is more than 0.10 EUR below base times rate', hr: ': iznos je za više od 0,10 EUR manji od umnoška osnovice i stope' }}`
const tooHigh = (tax: Both) =>
  together`${tax}${{ en: ' is more than 0.10 EUR above base times rate', hr: ': iznos je za više od 0,10 EUR veći od umnoška osnovice i stope' }}`
const VAT = { en: 'the VAT', hr: 'PDV' }
const PNP = { en: 'the consumption tax', hr: 'porez na potrošnju' }

const FINDINGS: Record<FindingCode, Both> = {
  v101: {
    en: 'the time of sending is more than 6 hours off the clock of the tax authority',
    hr: 'vrijeme slanja razlikuje se od sata Porezne uprave za više od 6 sati',
  },
  v103: {
    en: 'the sale lies more than 6 hours after the arrival of the message',
    hr: 'vrijeme računa više je od 6 sati nakon primitka poruke',
  },
  v104: { en: 'the sale lies after the time of sending', hr: 'vrijeme računa je nakon vremena slanja' },
  v105: { en: 'the invoice number is 0', hr: 'broj računa je 0' },
  v106: { en: 'the invoice number has more than 6 digits', hr: 'broj računa ima više od 6 znamenaka' },
  v110: { en: 'a VAT rate is not one of the law', hr: 'stopa PDV-a nije propisana' },
  v112: above(VAT_BASES),
  v113: below(VAT_BASES),
  v114: otherSign(VAT_BASES),
  v117: { en: 'the rate of the consumption tax is below 0', hr: 'stopa poreza na potrošnju manja je od 0' },
  v118: { en: 'the rate of the consumption tax is above 3%', hr: 'stopa poreza na potrošnju veća je od 3 %' },
  v120: above(PNP_BASES),
  v121: below(PNP_BASES),
  v122: otherSign(PNP_BASES),
  v125: { en: 'there are other taxes, of which the law has none', hr: 'navedeni su ostali porezi, a propisanih nema' },
  v126: above(EXEMPT),
  v127: below(EXEMPT),
  v128: otherSign(EXEMPT),
  v129: above(MARGIN),
  v130: below(MARGIN),
  v131: otherSign(MARGIN),
  v132: above(NON_TAXABLE),
  v133: below(NON_TAXABLE),
  v134: otherSign(NON_TAXABLE),
  v141: { en: 'the special purpose is not empty', hr: 'specifična namjena nije prazna' },
  v142: outside(VAT),
  v143: outside(EXEMPT),
  v144: outside(MARGIN),
  v145: outside(NON_TAXABLE),
  v152: {
    en: 'it arrived more than 2 and up to 5 days after the sale',
    hr: 'račun je stigao više od 2, a najviše 5 dana nakon prodaje',
  },
  v153: { en: 'it arrived more than 5 days after the sale', hr: 'račun je stigao više od 5 dana nakon prodaje' },
  v160: tooLow(VAT),
  v161: tooHigh(VAT),
  v162: tooLow(PNP),
  v163: tooHigh(PNP),
  v164: { en: 'a fee is above 135.00 EUR', hr: 'naknada je veća od 135,00 EUR' },
  v165: { en: 'a fee is below -135.00 EUR', hr: 'naknada je manja od -135,00 EUR' },
  v166: {
    en: 'VAT bases, VAT, consumption tax, exempt and non-taxable amounts and fees do not add up to the total',
    hr: 'osnovice, PDV, porez na potrošnju, oslobođeni i neoporezivi iznosi i naknade zajedno ne daju ukupni iznos',
  },
  v167: {
    en: 'a total paid by bank transfer or otherwise is beyond 150,000.00 EUR',
    hr: 'iznos plaćen transakcijskim računom ili na drugi način veći je od 150.000,00 EUR',
  },
  v168: {
    en: 'a total paid in cash or by card is beyond 10,000.00 EUR',
    hr: 'iznos plaćen novčanicama ili karticom veći je od 10.000,00 EUR',
  },
}
