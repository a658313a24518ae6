/** Entries of tables of texts (see `inBoth`), about sales. */

/** How devices are paid; by bank transfer they are not. */
export const DEVICE_PAYMENTS = {
  G: { en: 'cash', hr: 'gotovina' },
  K: { en: 'card', hr: 'kartica' },
  O: { en: 'other', hr: 'ostalo' },
}

export const PAYMENTS = {
  ...DEVICE_PAYMENTS,
  T: { en: 'bank transfer', hr: 'transakcijski račun' },
}

/** Into what a total divides, but VAT and fees: those are named in different words. */
export const PART_NAMES = {
  consumption_tax: { en: 'Consumption tax', hr: 'Porez na potrošnju' },
  other_tax: { en: 'Other taxes', hr: 'Ostali porezi' },
  exempt: { en: 'Exempt from VAT', hr: 'Oslobođeno PDV-a' },
  non_taxable: { en: 'Not subject to tax', hr: 'Ne podliježe oporezivanju' },
  margin: { en: 'Margin scheme', hr: 'Oporezivanje marže' },
  outside_vat: { en: 'Outside the VAT system', hr: 'Izvan sustava PDV-a' },
  rest: { en: 'Not assigned', hr: 'Neraspoređeno' },
}

export const BOOK_COLUMNS = {
  company: { en: 'Company', hr: 'Tvrtka' },
  oib: { en: 'OIB of the company', hr: 'OIB tvrtke' },
  premises: { en: 'Premises', hr: 'Poslovni prostor' },
  invoices: { en: 'Invoices', hr: 'Ukupno računa' },
  total: { en: 'Total (EUR)', hr: 'Ukupno (EUR)' },
  base: { en: (rate: string) => `Base ${rate}%`, hr: (rate: string) => `Osnovica ${rate} %` },
  vat: { en: (rate: string) => `VAT ${rate}%`, hr: (rate: string) => `PDV ${rate} %` },
}
