/**
 * What the bundle leaves outside, and loads from `node_modules`: native code and files beside the code,
 * what `src/receipts/lazy-packages.ts` loads by name, and the driver that only a server needs.
 */
export const EXTERNALS = [
  'better-sqlite3',
  'pg',
  '@fastify/swagger-ui',
  'any-ascii',
  'cookie',
  'pngjs',
  'qrcode',
  'serialport',
]
