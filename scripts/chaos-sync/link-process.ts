import { createChance } from '../chaos/chance.ts'
import { obey, settingsOfChild } from '../chaos/child.ts'
import { type End, openLink } from './link.ts'

/** A link in a process of its own: what it carries waits for nobody's other work. */
const { ends, seed } = settingsOfChild<{ ends: [End, ...End[]]; seed: number }>()
const link = await openLink(ends, createChance(seed))
obey({
  port: () => link.port,
  cut: () => link.cut(),
  mend: () => link.mend(),
  breakAfter: (bytes: number) => link.breakAfter(bytes),
  lead: (others: [End, ...End[]]) => link.lead(others),
  delay: (roundTripMs: number) => link.delay(roundTripMs),
})
