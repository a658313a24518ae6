// Loaded before the daemon under measurement: its UUIDs come from a known sequence (`sequence.ts`) instead of from chance, so
// that the authority's stub has signed its answers before they are asked for. Nothing else of the daemon is changed.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const hex = (number, length) => number.toString(16).padStart(length, '0')
let next = 0
crypto.randomUUID = () => {
  const index = next++
  return `${hex(Math.imul(index, 0x9e3779b1) >>> 0, 8)}-0000-4000-8000-${hex(index, 12)}`
}
syncBuiltinESMExports()
