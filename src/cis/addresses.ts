import type { Mode } from '../domain/sale/sale.ts'

/** Where the tax authority's own service is (docs/spec/cis.md, Endpoints). */
export const OFFICIAL_URLS: Record<Mode, string> = {
  test: 'https://cistest.apis-it.hr:8449/FiskalizacijaServiceTest',
  live: 'https://cis.porezna-uprava.hr:8449/FiskalizacijaService',
}

/** Whether an address is that of the tax authority's own service, not of a substitute. */
export const isOfficial = (mode: Mode, url: string): boolean => new URL(url).host === new URL(OFFICIAL_URLS[mode]).host
