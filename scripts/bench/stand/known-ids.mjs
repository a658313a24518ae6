// Loaded before the daemon under measurement: its UUIDs come from a known sequence instead of from chance, so that the
// authority's stub has signed its answers before they are asked for. Nothing else of the daemon is changed.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const prefix = process.env.BENCH_ID_PREFIX
let next = 0
crypto.randomUUID = () => `${prefix}${(next++).toString(16).padStart(12, '0')}`
syncBuiltinESMExports()
