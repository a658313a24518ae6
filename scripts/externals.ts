/**
 * What the bundle leaves outside, and loads from `node_modules`: native code, WebAssembly and files beside the code,
 * and what `src/receipts/lazy.ts` loads by name.
 */
export const EXTERNALS = [
  'better-sqlite3',
  'libxml2-wasm',
  '@fastify/swagger-ui',
  '@point-of-sale/codepage-encoder',
  '@point-of-sale/receipt-printer-encoder',
  'any-ascii',
  'pngjs',
  'qrcode',
  'serialport',
]
