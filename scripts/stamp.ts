import { writeFileSync } from 'node:fs'

/** Tells the program when it was built: no clock of its machine can be right that is behind this. */
const { SOURCE_DATE_EPOCH: epoch } = process.env
const builtAt = epoch ? new Date(Number(epoch) * 1000) : new Date()
writeFileSync(new URL('../dist/build.json', import.meta.url), `${JSON.stringify({ builtAt: builtAt.toISOString() })}\n`)
