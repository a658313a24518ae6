import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { GatewayCommandSchema, type OwnerView } from '../../contract/admin/gateway-commands.ts'
import { Closed, Free, Id, IdParams } from '../../contract/common.ts'
import { PAGE } from '../../contract/list.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { CertificateForm } from '../../contract/v1/fleet.ts'
import type { CommandView } from '../../fiscal/gateways/command-list.ts'
import type { AdminCommands } from '../../fiscal/gateways/gateway-admin.ts'
import type { SentCommand } from '../../fiscal/gateways/queue-commands.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { readUpload } from '../multipart.ts'
import { pageList, view } from '../views/view.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const CommandBody = Closed({
  type: Type.String({ maxLength: ADMIN_BOUNDS.commandType.most }),
  body: Type.Optional(Free('What it says')),
})
const CommandParams = Type.Object({ id: Type.String(), command: Type.String() })
const OwnerQuery = Closed({
  device_id: Type.Optional(Id('Who decides on this device')),
  invoice_id: Type.Optional(Type.String()),
})

export const commandRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminCommands }> = async (app, { useCases }) => {
  app.post('/gateways/:id/commands', {
    schema: { params: IdParams, body: CommandBody },
    handler: async ({ principal, params, body: { type, body = {} } }, reply) => {
      reply.status(201)
      return sentView(await useCases.sendCommand(principal, params.id, { type, body }))
    },
  })

  app.post('/gateways/:id/certificates', {
    schema: { params: IdParams },
    config: { form: CertificateForm, budget: 'upload' },
    handler: async (request, reply) => {
      const upload = await readUpload(request, CertificateForm, API_BOUNDS.certificateFile.most)
      const { company_id, file, passphrase, label = null } = upload
      const signal = whileCallerWaits(reply.raw)
      const certificate = { companyId: company_id.toLowerCase(), file, passphrase, label, signal }
      reply.status(201)
      return sentView(await useCases.sendCertificate(request.principal, request.params.id, certificate))
    },
  })

  app.get('/gateways/:id/commands', {
    schema: { params: IdParams, querystring: Closed(PAGE) },
    handler: async ({ principal, params, query }) => {
      const page = await useCases.listCommands(principal, params.id, readSlice('commands', query))
      return pageList('commands', page, (command) => commandView(command))
    },
  })

  app.get('/gateways/:id/commands/:command', { schema: { params: CommandParams } }, async ({ principal, params }) =>
    commandView(await useCases.findCommand(principal, params.id, params.command.toLowerCase())),
  )

  app.get('/gateways/:id/commands/:command/attachment', {
    schema: { params: CommandParams },
    handler: async ({ principal, params }, reply) => {
      const { content } = await useCases.findAttachment(principal, params.id, params.command.toLowerCase())
      reply.type('application/octet-stream')
      return reply.send(content)
    },
  })

  app.get(
    '/owner',
    { schema: { querystring: OwnerQuery } },
    async ({ principal, query }): Promise<OwnerView> => ({
      gateway: await useCases.ownerOf(principal, {
        deviceId: query.device_id?.toLowerCase(),
        invoiceId: query.invoice_id,
      }),
    }),
  )
}

const sentView = ({ isRepeated, replaced, ...command }: SentCommand) =>
  commandView({ command, attachment: null }, { repeated: isRepeated, replaced })

function commandView(
  { command, attachment }: CommandView,
  sent: { repeated?: boolean; replaced?: readonly string[] } = {},
) {
  // The sealed part is what only the gateway may read.
  const { sealed: _, ...body } = command.body
  return view(GatewayCommandSchema, { ...command, body, attachment, ...sent })
}
