/** A server that shows receipts to customers; the address is what links say, and is not asked. */
export const SHOWS_RECEIPTS = {
  FISKD_RECEIPTS_URL: 'https://racun.example.hr',
  FISKD_RECEIPTS_LISTEN: '127.0.0.1:0',
}
