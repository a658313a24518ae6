import { type Commands, type Desk, taking } from '../command-context.ts'

/**
 * Counters in the permanent memory, read in their turn as text. `GS E1` to `GS E5`: paper left, cuts, paper printed,
 * receipts drawn in, times switched on [V: KPM216H; the space before "cuts" is in its example].
 */
export const COUNTER_COMMANDS: Commands = {
  '\x1d\xe0': taking(1, (desk, n = 0) => desk.reports(n)),
  '\x1d\xe1': (desk) => tell(desk, `${desk.condition.paper === 'ok' ? 2500 : 0}cm`),
  '\x1d\xe2': (desk) => tell(desk, `${desk.counters.cuts} cuts`),
  '\x1d\xe3': (desk) => tell(desk, `${Math.floor((desk.counters.rows * 2.54) / desk.model.dpi)}cm`),
  '\x1d\xe4': (desk) => tell(desk, `${desk.counters.retracted}ret`),
  '\x1d\xe5': (desk) => tell(desk, `${desk.counters.powerUps}on`),
}

function tell({ answer }: Desk, text: string): void {
  answer(Buffer.from(text))
}
