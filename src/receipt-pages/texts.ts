import type { Language } from '../fiscal/ports/model.ts'

export const TEXTS = {
  hr: {
    title: (number: string) => `Račun ${number}`,
    test: 'Probni rad: ovo nije pravi račun.',
    copy: 'Original ovog računa ispisan je ili prikazan na uređaju. Ovo je kopija.',
    noJir: 'Račun je izdan. Potvrda Porezne uprave (JIR) još nije stigla.',
    renews: 'Stranica se sama osvježava.',
    stop: 'Zaustavi osvježavanje',
    later: 'Otvorite ovu poveznicu kasnije.',
    noJirLater: 'Otvorite ovu poveznicu kasnije: na računu će tada biti i JIR.',
    check: 'Provjerite račun kod Porezne uprave',
    pdf: 'Preuzmi PDF',
    until: (date: string) => `Račun je na ovoj poveznici do ${date} Spremite PDF ako vam treba dulje.`,
    comes: 'Račun stiže',
    comesWhy: 'Uređaj još nije poslao račun. To obično traje nekoliko sekundi.',
    comesLater: 'Račun još nije stigao. Uređaj možda nema vezu s internetom.',
    other: 'English',
  },
  en: {
    title: (number: string) => `Receipt ${number}`,
    test: 'Test mode: this is not a real receipt.',
    copy: 'The original of this receipt was printed, or shown by the machine. This is a copy.',
    noJir: 'The receipt was issued. The confirmation of the tax authority (JIR) has not arrived yet.',
    renews: 'This page renews itself.',
    stop: 'Stop renewing',
    later: 'Open this link later.',
    noJirLater: 'Open this link later: the receipt will then have its JIR.',
    check: 'Check the receipt with the tax authority',
    pdf: 'Download as PDF',
    until: (date: string) => `This link shows the receipt until ${date}. Save the PDF if you need it longer.`,
    comes: 'The receipt is on its way',
    comesWhy: 'The machine has not sent the receipt yet. This usually takes a few seconds.',
    comesLater: 'The receipt has not arrived yet. The machine may have no connection.',
    other: 'Hrvatski',
  },
} as const satisfies Record<Language, object>

/** For whoever asks, in both languages: what is refused, and why, is not said. */
export const NOTHING = [
  [
    'hr',
    'Ovdje trenutačno nema računa',
    'Poveznica na račun vrijedi ograničeno vrijeme i može biti povučena. Obratite se prodavatelju.',
  ],
  [
    'en',
    'There is no receipt here now',
    'The link to a receipt works for a limited time, and may be withdrawn. Ask the seller.',
  ],
] as const
