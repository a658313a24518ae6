/** Entries of tables of texts (see `inBoth`), about sales. */

/** How devices are paid; by bank transfer they are not. */
export const DEVICE_PAYMENTS = {
  G_hr: 'gotovina',
  G_en: 'cash',
  K_hr: 'kartica',
  K_en: 'card',
  O_hr: 'ostalo',
  O_en: 'other',
}

/** How a sale is paid. */
export const PAYMENTS = {
  ...DEVICE_PAYMENTS,
  T_hr: 'transakcijski račun',
  T_en: 'bank transfer',
}

/** Into what a total divides, but VAT and fees: those are named in different words. */
export const PART_NAMES = {
  consumption_tax_hr: 'Porez na potrošnju',
  consumption_tax_en: 'Consumption tax',
  other_tax_hr: 'Ostali porezi',
  other_tax_en: 'Other taxes',
  exempt_hr: 'Oslobođeno PDV-a',
  exempt_en: 'Exempt from VAT',
  non_taxable_hr: 'Ne podliježe oporezivanju',
  non_taxable_en: 'Not subject to tax',
  margin_hr: 'Oporezivanje marže',
  margin_en: 'Margin scheme',
  outside_vat_hr: 'Izvan sustava PDV-a',
  outside_vat_en: 'Outside the VAT system',
  rest_hr: 'Neraspoređeno',
  rest_en: 'Not assigned',
}

/** Titles of columns in files for the books. */
export const BOOK_COLUMNS = {
  company_hr: 'Tvrtka',
  company_en: 'Company',
  oib_hr: 'OIB tvrtke',
  oib_en: 'OIB of the company',
  premises_hr: 'Poslovni prostor',
  premises_en: 'Premises',
  invoices_hr: 'Ukupno računa',
  invoices_en: 'Invoices',
  total_hr: 'Ukupno (EUR)',
  total_en: 'Total (EUR)',
  base_hr: (rate: string) => `Osnovica ${rate} %`,
  base_en: (rate: string) => `Base ${rate}%`,
  vat_hr: (rate: string) => `PDV ${rate} %`,
  vat_en: (rate: string) => `VAT ${rate}%`,
}
