import type { CommandStanding } from '../../fiscal/gateways/command-list.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import { standingRow } from '../gateways/standing-view.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

type HasIt = (gatewayId: string, command: CommandStanding['command'] | undefined) => boolean

/** How far the status of a company and its newest certificate have come at the gateways that sell for it. */
export async function rolloutsOf({ admin }: DashboardDeps, context: PageContext, file: CompanyFile) {
  const { company, gateway, sellers, inUse } = file
  if (sellers.length === 0) return []
  const { principal, language, f } = context
  const t = texts[language]
  const newest = inUse.at(-1)
  const signsWithIt = new Set(inUse.filter(({ serial }) => serial === newest?.serial).map(({ gatewayId }) => gatewayId))
  const certificates = await admin.commands.latestAbout(principal, 'certificate.add', company)
  const statuses = gateway === null ? await admin.commands.latestAbout(principal, 'company.set_status', company) : []
  const isTold = gateway === null && (statuses.length > 0 || company.status !== 'active')
  const status =
    isTold &&
    reachedOf('status', t.statusIs(t.statuses[company.status]), statuses, (_id, one) => {
      return one?.status === 'done' && one.body.status === company.status
    })
  const title = newest ? t.newestUsed(f.date(newest.notAfter)) : t.certificate
  const certificate = reachedOf('certificate', title, certificates, (id, one) => {
    return signsWithIt.has(id) && one?.status !== 'waiting'
  })
  return status ? [status, certificate] : [certificate]

  function reachedOf(what: string, title: string, standings: readonly CommandStanding[], hasIt: HasIt) {
    const open = sellers.flatMap(({ id, name }) => {
      const standing = standings.find(({ command }) => command.gatewayId === id)
      if (hasIt(id, standing?.command)) return []
      const isSent = standing !== undefined && standing.command.status !== 'done'
      const row = isSent ? standingRow(standing, context) : { kind: 'bad', path: null, sentences: [t.notTold(name)] }
      return [{ ...row, isWaiting: standing?.command.status === 'waiting' }]
    })
    const done = sellers.length - open.length
    const mayResend = what === 'status' && open.some(({ isWaiting }) => !isWaiting)
    return { what, title, open, done, all: sellers.length, text: t.reached(done, sellers.length), mayResend }
  }
}
