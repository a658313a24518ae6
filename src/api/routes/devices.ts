import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidRequest } from '../../domain/errors.ts'
import { DeviceBody, DeviceChangesBody, DeviceParams } from '../schemas/fleet.ts'
import type { UseCases } from '../use-cases.ts'
import { deviceView } from '../views/fleet.ts'

/** Devices (interface.md, POST /v1/devices and PATCH /v1/devices/{id}). */
export const deviceRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.post('/devices', {
    schema: { body: DeviceBody },
    handler: async ({ principal, body }, reply) => {
      const device = await useCases.addDevice(principal, {
        companyId: body.company_id.toLowerCase(),
        premisesCode: body.premises_code,
        premisesAddress: body.premises_address ?? null,
        label: body.label,
        isuNumber: body.isu_number ?? null,
        deviceConfig: body.device_config ?? {},
      })
      reply.status(201)
      return deviceView(device)
    },
  })

  app.patch('/devices/:id', {
    schema: { params: DeviceParams, body: DeviceChangesBody },
    preValidation: async ({ body }) => {
      for (const field of ['company_id', 'premises_code']) {
        if (typeof body === 'object' && body !== null && Object.hasOwn(body, field)) {
          throw invalidRequest(field, `${field} cannot be changed: archive this device and register a new one`)
        }
      }
    },
    handler: async ({ principal, params, body }) => {
      const { label, premises_address, isu_number, device_config, status } = body
      const device = await useCases.changeDevice(principal, params.id.toLowerCase(), {
        ...(label !== undefined && { label }),
        ...(premises_address !== undefined && { premisesAddress: premises_address }),
        ...(isu_number !== undefined && { isuNumber: isu_number }),
        ...(device_config !== undefined && { deviceConfig: device_config }),
        ...(status !== undefined && { status }),
      })
      return deviceView(device)
    },
  })
}
