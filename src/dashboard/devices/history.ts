import { DAY_MS } from '../../domain/instant.ts'
import { viewOf } from '../alerts/routes.ts'
import { texts as alertTexts } from '../alerts/texts.ts'
import { AUDIT_DAYS, actorNames } from '../audit/filter.ts'
import { changesIn, sentence } from '../audit/sentences.ts'
import { outcomeOf } from '../gateways/command-view.ts'
import { texts as gatewayTexts } from '../gateways/texts.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

const MOST = 20

/** What was done with a device, asked of its gateway and wrong with it, the latest first; for who reads the audit log. */
export async function deviceHistory({ admin, office, now }: DashboardDeps, context: PageContext, id: string) {
  const { principal, language } = context
  const from = now() - AUDIT_DAYS * DAY_MS
  const { items } = await admin.auditLog(principal, { about: [[id]], from }, { limit: MOST })
  const alerts = await office.alerts.list(principal, { about: id }, { limit: MOST })
  const sent = items.flatMap(({ action, detail }) => (action === 'gateway.commanded' ? [String(detail.id)] : []))
  const commands = new Map(
    (await admin.commands.commandsWith(principal, sent)).map(({ command }) => [command.id, command]),
  )
  const who = await actorNames(admin, context)
  const done = items.map(({ at, actor, action, detail }) => {
    const command = commands.get(String(detail.id))
    const mark = command ? outcomeOf(command, gatewayTexts[language]) : null
    const text = `${who(actor)}: ${sentence(action, detail, language)} ${changesIn(detail, language)}`
    return { at, text, mark, href: null }
  })
  const t = alertTexts[language]
  const wrong = alerts.items.map((alert) => {
    const { id, raisedAt, resolvedAt, title, state, badge } = viewOf(alert, language)
    const mark = { kind: resolvedAt === null ? badge : ('plain' as const), text: t.stateIs[state] }
    return { at: raisedAt, text: title, mark, href: `/dashboard/alerts/${id}` }
  })
  return [...done, ...wrong].sort((one, other) => other.at - one.at).slice(0, MOST)
}
