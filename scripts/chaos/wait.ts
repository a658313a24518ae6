export { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds of a clock that every process of this machine shares and nobody can set. */
export const tick = (): number => Number(process.hrtime.bigint() / 1_000_000n)
