import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { ownPath } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { COMMAND_FORMS, type CommandForm, readCommand } from './command-forms.ts'
import { namesOf, viewOfCommand } from './command-view.ts'
import { pathOf } from './list-view.ts'
import { readIds, viewOfStandings } from './standing-view.ts'
import { texts } from './texts.ts'

/** The forms that send commands to a gateway, and the page of a command with its outcome. */
export function commandPages(
  pages: Pages,
  { admin, office, now }: Pick<DashboardDeps, 'admin' | 'office' | 'now'>,
): void {
  for (const command of COMMAND_FORMS) {
    pages.get(`/gateways/:name/send/${command.name}`, (context) => form(context, command, context.query, {}), {
      role: command.role,
    })

    pages.post(
      `/gateways/:name/send/${command.name}`,
      async (context) => {
        const { principal, params, reply } = context
        const signal = whileCallerWaits(reply.raw)
        const gateway = params.name ?? ''
        const read = readCommand(command, context, texts[context.language])
        if ('errors' in read) return form(context, command, context.form, read.errors)
        return context.once<GatewayCommand>(
          (keep) =>
            'certificate' in read
              ? admin.commands.sendCertificate(principal, gateway, { ...read.certificate, signal }, keep)
              : admin.commands.sendCommand(principal, gateway, read.command, keep),
          {
            to: ({ id }) => `${pathOf(gateway)}/commands/${id}`,
            refused: (errors) => form(context, command, context.form, errors),
          },
        )
      },
      {
        role: command.role,
        ...(command.name === 'certificate' && { fileBytes: DASHBOARD_BOUNDS.certificateFile.most }),
      },
    )
  }

  async function form(
    context: PageContext,
    command: CommandForm,
    values: Record<string, string>,
    errors: Record<string, string>,
  ) {
    const t = texts[context.language]
    const { gateway } = await admin.gateways.showGateway(context.principal, context.params.name ?? '')
    const choices = command.name === 'certificate' ? await office.fleet.choices(context.principal) : []
    return context.show(
      'gateways/command-form',
      {
        title: `${gateway.name}: ${t.types[command.type]}`,
        t,
        path: pathOf(gateway.name),
        command,
        values,
        errors,
        companies: [
          { value: '', text: t.choose },
          ...choices.map(({ company: { id, name } }) => ({ value: id, text: name })),
        ],
      },
      statusOf(errors),
    )
  }

  const commandOf = async (context: PageContext) => {
    const t = texts[context.language]
    const { name = '', id = '' } = context.params
    const found = await admin.commands.findCommand(context.principal, name, id)
    const command = viewOfCommand(found, name, await namesOf(admin, context, t), t, context.language)
    const standing = await admin.commands.commandsWith(context.principal, [id])
    return {
      title: `${name}: ${command.type}`,
      t,
      command,
      standing: viewOfStandings(standing, { now }, context.language, command.path),
      back: pathOf(name),
    }
  }

  pages.get('/commands', async (context) => {
    const { principal, query, language, isFragment } = context
    const found = await admin.commands.commandsWith(principal, readIds(query.of))
    const standing = viewOfStandings(found, { now }, language, ownPath(query.back))
    const view = { title: standing.t.title, t: standing.t, standing }
    return isFragment ? context.fragment('partials/standing-commands', view) : context.show('gateways/standing', view)
  })

  pages.get('/gateways/:name/commands/:id', async (context) =>
    context.show('gateways/command', await commandOf(context)),
  )
  pages.get('/gateways/:name/commands/:id/now', async (context) =>
    context.fragment('gateways/command-status', await commandOf(context)),
  )

  pages.get(
    '/gateways/:name/commands/:id/file',
    async (context) => {
      const { name = '', id = '' } = context.params
      const { name: file, content } = await admin.commands.findAttachment(context.principal, name, id)
      const safe = file.replace(/[^\w.-]/g, '_').slice(0, 150)
      context.reply.header('content-disposition', `attachment; filename="${safe}"`)
      return context.reply.type('application/octet-stream').send(content)
    },
    { role: 'operator' },
  )
}
