import { formatMoney } from '../../domain/money.ts'
import { NOT_EARNING } from '../../fiscal/machines/machine.ts'
import type { IdleMachine } from '../../fiscal/machines/machines.ts'
import { machinesIn } from '../devices/addresses.ts'
import { healthOf } from '../devices/health.ts'
import { healthTexts } from '../devices/health-texts.ts'
import { texts as deviceTexts } from '../devices/texts.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Of one reason; the list of machines has all. */
const MOST_SHOWN = 50

/** Which machines earn nothing, why, since when, and what that costs. */
export function notEarningPage(pages: Pages, { office }: DashboardDeps): void {
  pages.get('/not-earning', async (context) => {
    const { principal, language, f } = context
    const [t, d, h] = [texts[language], deviceTexts[language], healthTexts[language]]
    const all = await office.machines.notEarning(principal)
    const known = all.filter(({ state }) => state !== 'unknown')
    const money = (machines: readonly IdleMachine[]) => {
      const cents = machines.reduce((sum, { missed }) => sum + (missed?.cents ?? 0n), 0n)
      return cents === 0n ? '' : f.money(formatMoney(cents))
    }
    const groups = ([...NOT_EARNING, 'unknown'] as const).map((state) => ({
      state,
      machines: all.filter((one) => one.state === state),
    }))
    return context.show('not-earning/page', {
      title: t.title,
      t,
      d,
      about: known.length === 0 ? t.none : money(known) && t.about(money(known)),
      groups: groups
        .filter(({ machines }) => machines.length > 0)
        .map(({ state, machines }) => ({
          href: machinesIn(state),
          title: `${h.states[state]}: ${f.count(machines.length)}`,
          about: t.states[state],
          money: state === 'unknown' && money(machines) ? t.upTo(money(machines)) : money(machines),
          more: machines.length > MOST_SHOWN,
          rows: machines.slice(0, MOST_SHOWN).map(({ machine, missed }) => ({
            ...machine,
            health: healthOf(machine, language, f),
            since: machine.lastSaleAt === null ? d.never : f.ago(machine.lastSaleAt),
            usual: missed === null ? '–' : t.perWeek(f.count(missed.salesPerWeek)),
            money: missed?.cents ? f.money(formatMoney(missed.cents)) : '–',
          })),
        })),
    })
  })
}
