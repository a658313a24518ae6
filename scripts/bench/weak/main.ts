import { runBuilt, say } from '../../chaos/arguments.ts'
import { startAuthority } from '../../chaos/authority.ts'
import { createChance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { OIB } from '../../chaos/shop.ts'
import { HELP, readOptions } from './options.ts'
import { measureLimits, measurePace, measurePressure, measureVictims, type Section } from './sections.ts'

const SECTIONS: Record<string, Section> = {
  pace: measurePace,
  pressure: measurePressure,
  victims: measureVictims,
  limits: measureLimits,
}

await runBuilt(HELP, readOptions, async (options, scratch) => {
  const chance = createChance(Date.now())
  const authority = await startAuthority({ port: await freePort(chance), seed: 1, oib: OIB }, scratch)
  const problems: string[] = []
  for (const name of options.only) {
    problems.push(...((await SECTIONS[name]?.(options, { dist: options.dist, authority, chance }, scratch)) ?? []))
  }
  for (const problem of problems) say(`NOT as it has to be: ${problem}`)
  return problems.length === 0 ? 0 : 1
})
