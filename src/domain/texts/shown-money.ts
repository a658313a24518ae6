const of = (locale: string) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
const EUROS = { hr: of('hr-HR'), en: of('en-GB') }

/** `"1234.50"` as `1.234,50 €`; as text, for an amount of money is no floating-point number. */
export const shownMoney = (amount: string, language: keyof typeof EUROS): string =>
  EUROS[language].format(amount as unknown as number)
