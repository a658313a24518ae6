import type { GatewayCommand } from '../../fiscal/ports/sync.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { namesOf, viewOfCommand } from './command-view.ts'
import { pathOf } from './list-view.ts'
import { readWanted, SENDS, type Send } from './send-command.ts'
import { texts } from './texts.ts'

/** What a gateway is to do, and what came of it. */
export function commandPages(pages: Pages, { admin, office }: Pick<DashboardDeps, 'admin' | 'office'>): void {
  for (const send of SENDS) {
    pages.get(`/gateways/:name/send/${send.name}`, (visit) => form(visit, send, visit.query, {}), { role: send.role })

    pages.post(
      `/gateways/:name/send/${send.name}`,
      async (visit) => {
        const { principal, params, reply } = visit
        const signal = whileCallerWaits(reply.raw)
        const gateway = params.name ?? ''
        const read = readWanted(send, visit, texts[visit.language])
        if ('errors' in read) return form(visit, send, visit.form, read.errors, 422)
        const to = ({ id }: GatewayCommand) => `${pathOf(gateway)}/commands/${id}`
        try {
          return await visit.once<GatewayCommand>(
            (keep) =>
              'certificate' in read
                ? admin.commands.sendCertificate(principal, gateway, { ...read.certificate, signal }, keep)
                : admin.commands.sendCommand(principal, gateway, read.command, keep),
            to,
            'sent_to_gateway',
          )
        } catch (error) {
          return form(visit, send, visit.form, visit.errorsOf(error), 422)
        }
      },
      { role: send.role, ...(send.name === 'certificate' && { fileBytes: DASHBOARD_BOUNDS.certificateFile.most }) },
    )
  }

  async function form(
    visit: Visit,
    send: Send,
    values: Record<string, string>,
    errors: Record<string, string>,
    status = 200,
  ) {
    const t = texts[visit.language]
    const { gateway } = await admin.gateways.showGateway(visit.principal, visit.params.name ?? '')
    const choices = send.name === 'certificate' ? await office.fleet.choices(visit.principal) : []
    return visit.show(
      'gateways/send',
      {
        ...{ title: `${gateway.name}: ${t.types[send.type]}`, t, path: pathOf(gateway.name), send, values, errors },
        companies: [
          { value: '', text: t.choose },
          ...choices.map(({ company: { id, name } }) => ({ value: id, text: name })),
        ],
      },
      status,
    )
  }

  const look = async (visit: Visit) => {
    const t = texts[visit.language]
    const { name = '', id = '' } = visit.params
    const found = await admin.commands.findCommand(visit.principal, name, id)
    const command = viewOfCommand(found, name, await namesOf(admin, visit, t), t, visit.language)
    return { title: `${name}: ${command.type}`, t, command, back: pathOf(name) }
  }
  pages.get('/gateways/:name/commands/:id', async (visit) => visit.show('gateways/command', await look(visit)))
  pages.get('/gateways/:name/commands/:id/now', async (visit) => visit.part('gateways/command-now', await look(visit)))

  pages.get(
    '/gateways/:name/commands/:id/file',
    async (visit) => {
      const { name = '', id = '' } = visit.params
      const { name: file, content } = await admin.commands.findAttachment(visit.principal, name, id)
      const safe = file.replace(/[^\w.-]/g, '_').slice(0, 150)
      visit.reply.header('content-disposition', `attachment; filename="${safe}"`)
      return visit.reply.type('application/octet-stream').send(content)
    },
    { role: 'operator' },
  )
}
