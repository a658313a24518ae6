import { DEVICE_PAYMENTS } from '../../domain/texts/sale-texts.ts'
import { inBoth } from '../language.ts'
import { USER_TEXTS } from '../shared-texts.ts'
import { LINK_DAYS } from './fields.ts'

export const texts = inBoth({
  about: {
    en: 'These settings apply when a sale does not say otherwise. An empty field means that the setting of the company applies, or else the default.',
    hr: 'Ove se postavke primjenjuju kad uz prodaju nije navedeno drukčije. Prazno polje znači da vrijedi postavka tvrtke, a ako ni nje nema, zadana vrijednost.',
  },
  aboutCompany: {
    en: 'These settings apply to all devices of the company when neither the sale nor the device says otherwise. An empty field means that the default applies.',
    hr: 'Ove se postavke primjenjuju na sve uređaje tvrtke kad ni uz prodaju ni za uređaj nije navedeno drukčije. Prazno polje znači da vrijedi zadana vrijednost.',
  },
  groups: {
    usual: { en: 'Usual settings', hr: 'Najčešće postavke' },
    receipt: { en: 'Text on the printed receipt', hr: 'Tekst na ispisanom računu' },
    amounts: { en: 'Taxes and amounts of every sale', hr: 'Porezi i iznosi za svaku prodaju' },
    till: { en: 'Special cases', hr: 'Posebni slučajevi' },
  },
  groupHints: {
    usual: { en: '', hr: '' },
    receipt: {
      en: 'Each line is a line on paper, at most 20 lines.',
      hr: 'Svaki redak je jedan redak na papiru, najviše 20 redaka.',
    },
    amounts: {
      en: 'Needed only where every sale is the same. Otherwise the device sends the amounts, and VAT is computed by the default rate.',
      hr: 'Potrebno samo ako je svaka prodaja jednaka. Inače iznose šalje uređaj, a PDV se izračunava prema zadanoj stopi.',
    },
    till: {
      en: 'For self-service machines this usually stays empty. The register mark and the OIB of the operator apply to attended sales only.',
      hr: 'Za samoposlužne uređaje ovo obično ostaje prazno. Oznaka naplatnog uređaja i OIB operatera vrijede samo za prodaju uz djelatnika.',
    },
  },
  field: { en: 'Setting', hr: 'Postavka' },
  now: { en: 'Applies now', hr: 'Sada vrijedi' },
  here: { en: 'Set here', hr: 'Postavljeno ovdje' },
  sources: {
    own: { en: 'set here', hr: 'postavljeno ovdje' },
    above: { en: 'from the company', hr: 'postavka tvrtke' },
    default: { en: 'default', hr: 'zadano' },
  },
  asAbove: { en: (value: string) => `— as the company: ${value} —`, hr: (value: string) => `— kao tvrtka: ${value} —` },
  asDefault: { en: (value: string) => `— default: ${value} —`, hr: (value: string) => `— zadano: ${value} —` },
  noneHere: {
    en: 'no value (the company’s value does not apply either)',
    hr: 'bez vrijednosti (ne vrijedi ni postavka tvrtke)',
  },
  none: { en: 'no value', hr: 'bez vrijednosti' },
  ignored: {
    en: (json: string) => `The stored value ${json} is not valid and is not used. Saving deletes it.`,
    hr: (json: string) =>
      `Spremljena vrijednost ${json} nije ispravna, pa se ne koristi. Kad spremite, bit će izbrisana.`,
  },
  meanwhile: {
    en: 'Another user has changed this in the meantime. Now stored:',
    hr: 'Netko je u međuvremenu ovo promijenio. Sada je spremljeno:',
  },
  meanwhileAll: {
    en: 'Another user has changed these settings in the meantime. Your changes are not saved yet: check the marked fields, and save again if your values are correct.',
    hr: 'U međuvremenu je netko drugi promijenio postavke. Vaše izmjene još nisu spremljene: pogledajte označena polja i spremite ponovno ako želite zadržati svoje izmjene.',
  },
  unread: { en: 'Other stored settings', hr: 'Ostalo što je spremljeno' },
  unreadHint: {
    en: 'These settings are not used. They stay stored and cannot be changed here.',
    hr: 'Ove se postavke ne koriste. Ostaju spremljene i ovdje se ne mogu mijenjati.',
  },
  save: { en: 'Save settings', hr: 'Spremi postavke' },
  readOnly: {
    en: 'You can view the settings, but not change them.',
    hr: 'Postavke možete pregledati, ali ih ne možete mijenjati.',
  },
  yes: { en: 'yes', hr: 'da' },
  no: { en: 'no', hr: 'ne' },
  line: { en: (n: number) => `Line ${n}: `, hr: (n: number) => `${n}. redak: ` },
  labels: {
    payment_method: { en: 'Payment method', hr: 'Način plaćanja' },
    default_vat_rate: { en: 'Default VAT rate', hr: 'Zadana stopa PDV-a' },
    default_vat_base: { en: 'Base of the default rate', hr: 'Osnova za zadanu stopu' },
    vat_registered: { en: 'In the VAT system', hr: 'U sustavu PDV-a' },
    fees: { en: 'Fees included in the price', hr: 'Naknade u cijeni' },
    special_purpose: { en: 'Special purpose', hr: 'Specifična namjena' },
    activity: { en: 'Activity (NKD)', hr: 'Djelatnost (NKD)' },
    'receipt.header': { en: 'Text above the receipt', hr: 'Tekst iznad računa' },
    'receipt.footer': { en: 'Text below the receipt', hr: 'Tekst ispod računa' },
    'receipt.language': { en: 'Language of the receipt', hr: 'Jezik računa' },
    'receipt.paper': { en: 'Form of the receipt', hr: 'Oblik računa' },
    receipt_link: { en: 'Receipt on the phone', hr: 'Račun na mobitelu' },
    receipt_link_days: { en: 'Days that the link works', hr: 'Koliko dana vrijedi poveznica' },
    vat: { en: 'VAT', hr: 'PDV' },
    consumption_tax: { en: 'Consumption tax', hr: 'Porez na potrošnju' },
    other_taxes: { en: 'Other taxes', hr: 'Ostali porezi' },
    vat_exempt_amount: { en: 'Amount exempt from VAT', hr: 'Iznos oslobođen PDV-a' },
    margin_amount: { en: 'Amount under the margin scheme', hr: 'Iznos po posebnom postupku oporezivanja marže' },
    non_taxable_amount: { en: 'Amount not subject to tax', hr: 'Iznos koji ne podliježe oporezivanju' },
    late_delivery: { en: 'Late delivery', hr: 'Naknadna dostava' },
    sale_type: { en: 'Kind of sale', hr: 'Vrsta prodaje' },
    sequence_mark: { en: 'Sequence mark', hr: 'Oznaka slijednosti' },
    sequence_mode: { en: 'Sequence mark of the company', hr: 'Oznaka slijednosti tvrtke' },
    register_mark: { en: 'Register mark', hr: 'Oznaka naplatnog uređaja' },
    operator_oib: { en: 'OIB of the operator', hr: 'OIB operatera' },
    recipient_oib: { en: 'OIB of the buyer', hr: 'OIB kupca' },
    paragon_number: { en: 'Paper invoice no.', hr: 'Broj paragon računa' },
  },
  hints: {
    payment_method: { en: 'Used when the device sends none.', hr: 'Kad uređaj ne pošalje način plaćanja.' },
    default_vat_rate: {
      en: 'The total includes VAT at this rate.',
      hr: 'PDV po ovoj stopi izdvaja se iz ukupnog iznosa.',
    },
    default_vat_base: {
      en: 'A deposit in the price is not subject to VAT: choose the total without fees.',
      hr: 'Povratna naknada u cijeni ne podliježe PDV-u: odaberite iznos bez naknada.',
    },
    vat_registered: {
      en: 'Usually empty: the setting of the company applies.',
      hr: 'Obično prazno: vrijedi što piše u podacima tvrtke.',
    },
    fees: {
      en: 'One fee per line: name; amount. For example: Deposit; 0.07',
      hr: 'Jedna naknada u retku: naziv; iznos. Primjer: Povratna naknada; 0,07',
    },
    special_purpose: {
      en: 'A text that is sent to the tax authority with every invoice. Usually empty.',
      hr: 'Tekst koji se šalje Poreznoj upravi uz svaki račun. Obično prazno.',
    },
    activity: {
      en: 'As ePorezna asks for it when a premises is registered. No invoice contains it.',
      hr: 'Kako se upisuje u ePoreznu pri prijavi prostora. Nije na računima.',
    },
    'receipt.language': {
      en: 'Language of the fixed texts on the printed receipt.',
      hr: 'Jezik stalnih tekstova na ispisanom računu.',
    },
    'receipt.paper': {
      en: 'A compact receipt has all that the law asks for on half the paper.',
      hr: 'Sažeti račun ima sve što zakon traži na upola manje papira.',
    },
    receipt_link: {
      en: 'Each sale gets a link to its receipt. The machine shows it on its screen as a QR code.',
      hr: 'Svaka prodaja dobiva poveznicu na račun. Automat je na zaslonu prikazuje kao QR kod.',
    },
    receipt_link_days: {
      en: 'Afterwards the link shows no receipt.',
      hr: 'Nakon toga poveznica više ne prikazuje račun.',
    },
    vat: {
      en: 'One tax per line: rate; base; amount. For example: 25; 2.00; 0.50',
      hr: 'Jedan porez u retku: stopa; osnovica; iznos. Primjer: 25; 2,00; 0,50',
    },
    consumption_tax: {
      en: 'One tax per line: rate; base; amount. The rate is 0 to 3%.',
      hr: 'Jedan porez u retku: stopa; osnovica; iznos. Stopa je od 0 do 3 %.',
    },
    other_taxes: {
      en: 'One tax per line: name; rate; base; amount.',
      hr: 'Jedan porez u retku: naziv; stopa; osnovica; iznos.',
    },
    vat_exempt_amount: { en: 'In euros, for example 1.50', hr: 'U eurima, na primjer 1,50' },
    margin_amount: { en: 'In euros, for example 1.50', hr: 'U eurima, na primjer 1,50' },
    non_taxable_amount: { en: 'In euros, for example 1.50', hr: 'U eurima, na primjer 1,50' },
    late_delivery: {
      en: 'fiskd marks late invoices automatically. Usually empty.',
      hr: 'fiskd je označava automatski kad račun kasni. Obično prazno.',
    },
    sequence_mark: {
      en: 'P: one sequence for the premises. N: one for each register.',
      hr: 'P: brojevi slijede na razini poslovnog prostora. N: brojevi slijede na razini naplatnog uređaja.',
    },
    sequence_mode: {
      en: 'Used for attended sales that are sent without a sequence mark.',
      hr: 'Kad za prodaju uz djelatnika nije navedena oznaka slijednosti.',
    },
    register_mark: { en: 'Digits only, no zero at the beginning.', hr: 'Samo znamenke, bez nule na početku.' },
    operator_oib: { en: '11 digits.', hr: '11 znamenaka.' },
    recipient_oib: { en: '11 digits.', hr: '11 znamenaka.' },
    paragon_number: { en: 'At most 100 characters.', hr: 'Najviše 100 znakova.' },
  },
  /** The defaults of settings that have one. */
  defaults: {
    none: { en: 'none', hr: 'nema' },
    payment_method: { en: 'none: the device must send it', hr: 'nema: mora ga poslati uređaj' },
    default_vat_rate: {
      en: 'none: VAT is stated only if the device sends it',
      hr: 'nema: PDV se navodi samo ako ga pošalje uređaj',
    },
    default_vat_base: { en: 'the whole total', hr: 'cijeli iznos računa' },
    vat_registered: { en: 'as set for the company', hr: 'kao u podacima tvrtke' },
    'receipt.language': { en: 'Croatian', hr: 'hrvatski' },
    'receipt.paper': { en: 'compact at machines, full at tills', hr: 'sažeti na automatima, puni na blagajnama' },
    receipt_link: { en: 'off', hr: 'isključeno' },
    receipt_link_days: { en: '60 days', hr: '60 dana' },
    vat: { en: 'by the default VAT rate', hr: 'prema zadanoj stopi PDV-a' },
    late_delivery: { en: 'when an invoice is more than 5 minutes late', hr: 'kad račun kasni više od 5 minuta' },
    sale_type: { en: 'self-service sale', hr: 'samoposlužna prodaja' },
    sequence_mark: { en: 'P: one sequence for the premises', hr: 'P: na razini poslovnog prostora' },
    sequence_mode: { en: 'P: one sequence for the premises', hr: 'P: na razini poslovnog prostora' },
    register_mark: { en: 'the ISU number of the device', hr: 'ISU broj uređaja' },
    operator_oib: { en: 'the OIB of the company', hr: 'OIB tvrtke' },
  },
  values: {
    ...USER_TEXTS.languages,
    ...DEVICE_PAYMENTS,
    both: { en: 'Croatian and English', hr: 'hrvatski i engleski' },
    compact: { en: 'compact', hr: 'sažeti' },
    full: { en: 'full', hr: 'puni' },
    on: { en: 'on', hr: 'uključeno' },
    off: { en: 'off', hr: 'isključeno' },
    ...Object.fromEntries(LINK_DAYS.map((days) => [days, { en: `${days} days`, hr: `${days} dana` }])),
    total: { en: 'the whole total', hr: 'cijeli iznos računa' },
    taxable: { en: 'the total without fees and untaxed amounts', hr: 'iznos bez naknada i neoporezivih iznosa' },
    unattended: { en: 'self-service sale', hr: 'samoposlužna prodaja' },
    attended: { en: 'attended sale', hr: 'prodaja uz djelatnika' },
    P: { en: 'P: one sequence for the premises', hr: 'P: na razini poslovnog prostora' },
    N: { en: 'N: one sequence for each register', hr: 'N: na razini naplatnog uređaja' },
    '0.00': { en: '0%', hr: '0 %' },
    '5.00': { en: '5%', hr: '5 %' },
    '13.00': { en: '13%', hr: '13 %' },
    '25.00': { en: '25%', hr: '25 %' },
  },
  faults: {
    choice: { en: 'Choose one of the values that are offered.', hr: 'Odaberite jednu od ponuđenih vrijednosti.' },
    long: { en: 'The text is too long. Make it shorter.', hr: 'Tekst je predug. Skratite ga.' },
    letters: {
      en: 'The text has a character that cannot be stored. Delete it.',
      hr: 'U tekstu je znak koji se ne može spremiti. Izbrišite ga.',
    },
    oib: {
      en: 'The OIB is wrong: it has 11 digits, the last one being a check digit.',
      hr: 'OIB nije ispravan: ima 11 znamenaka, a posljednja je kontrolna.',
    },
    mark: {
      en: 'Enter digits only, at most 20, without a zero at the beginning.',
      hr: 'Upišite samo znamenke, najviše 20, bez nule na početku.',
    },
    amount: {
      en: 'Enter an amount with at most two decimals, such as 1.50.',
      hr: 'Upišite iznos s najviše dvije decimale, na primjer 1,50.',
    },
    parts: {
      en: 'The line does not have the required number of parts. Separate the parts with semicolons.',
      hr: 'Redak nema onoliko dijelova koliko treba. Dijelove odvojite točkom sa zarezom.',
    },
    name: { en: 'A name has 1 to 100 characters.', hr: 'Naziv mora imati od 1 do 100 znakova.' },
    vatRate: { en: 'The VAT rate must be 0%, 5%, 13% or 25%.', hr: 'Stopa PDV-a može biti 0, 5, 13 ili 25 %.' },
    consumptionRate: {
      en: 'The rate of the consumption tax must be between 0 and 3%.',
      hr: 'Stopa poreza na potrošnju mora biti između 0 i 3 %.',
    },
    lines: { en: 'Enter at most 20 lines.', hr: 'Dopušteno je najviše 20 redaka.' },
    both: {
      en: 'Enter a value or tick “no value”, not both.',
      hr: 'Upišite vrijednost ili označite „bez vrijednosti”, ne oboje.',
    },
  },
})
