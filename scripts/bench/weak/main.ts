import { runScript, say } from '../../chaos/arguments.ts'
import { startAuthority } from '../../chaos/authority.ts'
import { createChance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { openScratch } from '../../chaos/scratch.ts'
import { OIB } from '../../chaos/shop.ts'
import { HELP, readOptions } from './options.ts'
import { measureLimits, measurePace, measurePressure, type Section } from './sections.ts'

const SECTIONS: Record<string, Section> = { pace: measurePace, pressure: measurePressure, limits: measureLimits }

await runScript(HELP, async () => {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    say(HELP)
    return 0
  }
  const scratch = openScratch(false)
  const chance = createChance(Date.now())
  const authority = await startAuthority({ port: await freePort(chance), seed: 1, oib: OIB }, scratch)
  const problems: string[] = []
  for (const name of options.only) {
    problems.push(...((await SECTIONS[name]?.(options, { dist: options.dist, authority, chance }, scratch)) ?? []))
  }
  for (const problem of problems) say(`NOT as it has to be: ${problem}`)
  scratch.close()
  return problems.length === 0 ? 0 : 1
})
