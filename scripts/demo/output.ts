export const say = (text = '') => process.stdout.write(`${text}\n`)

export const show = (name: string, value: unknown) => say(`      ${`${name}:`.padEnd(9)} ${value}`)

let step = 0
export const heading = (text: string) => say(`\n  ${++step}. ${text}`)

/** The demonstration is a test as well: what it promises must be what happened. */
export function expectThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`expected: ${promise}`)
}
