import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../contract/common.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import {
  DeviceBody,
  DeviceChangesBody,
  DeviceList,
  DeviceSchema,
  DevicesQuery,
  ImportForm,
  ImportReportSchema,
  ImportRowSchema,
} from '../../contract/v1/fleet.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import { readDeviceCsv } from '../../fiscal/registry/device-csv.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe, SETTING_ERRORS } from '../docs/describe.ts'
import { readUpload } from '../multipart.ts'
import { answerOnce } from '../replay-answer.ts'
import { refusalOf } from '../validation.ts'
import { deviceView, importReportView } from '../views/fleet.ts'
import { inside, pageList } from '../views/view.ts'
import { refuseFields } from '../wrong-requests.ts'

/** Errors for objects that a gateway owns and this server only copies. */
const OWNED = ['device_owned_by_gateway', 'premises_owned_by_gateway'] as const

/** Devices (docs/spec/interface.md, GET and POST /v1/devices, PATCH /v1/devices/{id}, POST /v1/devices/import). */
export const deviceRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.get('/devices', {
    schema: describe('listDevices', 'List devices, the oldest first', 'devices', {
      response: { 200: DeviceList },
      querystring: DevicesQuery,
    }),
    config: { scope: 'fleet:read' },
    handler: async ({ principal, query }) => {
      const filter = {
        companyId: query.company_id?.toLowerCase(),
        premisesCode: query.premises_code,
        isuStatus: query.isu_status,
        status: query.status,
        allTenants: query.all_tenants === 'true',
      }
      return pageList('devices', await useCases.listDevices(principal, filter, readSlice('devices', query)), deviceView)
    },
  })

  app.post('/devices', {
    schema: describe('createDevice', 'Register a device', 'devices', {
      description: 'Without `isu_number` it is `pending` and cannot sell until it gets one.',
      response: { 201: DeviceSchema },
      body: DeviceBody,
    }),
    config: {
      scope: 'fleet:write',
      refusals: [404, 409],
      errors: [...OWNED, ...SETTING_ERRORS, 'mode_mismatch', 'idempotency_key_reused'],
    },
    handler: async (request, reply) => {
      const { principal, body } = request
      return answerOnce(useCases.once, request, reply, {
        status: 201,
        view: deviceView,
        work: (keep) =>
          useCases.addDevice(
            principal,
            {
              ...inside({ premises_address: null, isu_number: null, device_config: {}, ...body }),
              companyId: body.company_id.toLowerCase(),
            },
            keep,
          ),
      })
    },
  })

  app.patch('/devices/:id', {
    schema: describe('updateDevice', 'Change a device', 'devices', {
      description:
        'Only fields that are present change; `device_config` is replaced as a whole. A value of `isu_number` makes ' +
        'the device `assigned`, `null` makes it `pending`.',
      response: { 200: DeviceSchema },
      params: IdParams,
      body: DeviceChangesBody,
    }),
    config: { scope: 'fleet:write', refusals: [404, 409], errors: [...OWNED, ...SETTING_ERRORS, 'mode_mismatch'] },
    preValidation: async ({ body }) =>
      refuseFields(body, ['company_id', 'premises_code'], 'archive this device and register a new one'),
    handler: async ({ principal, params, body }) => {
      return deviceView(await useCases.changeDevice(principal, params.id.toLowerCase(), inside(body)))
    },
  })

  app.post('/devices/import', {
    schema: describe('importDevices', 'Register and update devices from a CSV file', 'devices', {
      description:
        'Columns: `label` and `premises_code` (required), `isu_number`, `device_config` (a JSON object, merged into the ' +
        'existing one), `company_oib` (of another company: the row is refused). Rows are matched by label and stand for ' +
        'themselves; a blank cell changes nothing. Names of columns are compared without case, blanks, `-` and `_`.',
      response: { 200: ImportReportSchema },
    }),
    config: {
      scope: 'fleet:write',
      refusals: [404],
      budget: 'upload',
      form: ImportForm,
      errors: ['device_owned_by_gateway', 'mode_mismatch', 'idempotency_key_reused', 'file_too_large'],
    },
    handler: async (request, reply) => {
      const upload = await readUpload(request, ImportForm, API_BOUNDS.importFile.most)
      // A row must keep the rules of a device that is registered alone.
      const validate = request.compileValidationSchema(ImportRowSchema)
      const faultOf = (row: unknown) => (validate(row) ? undefined : refusalOf(validate.errors ?? [], 'row'))
      const table = await readDeviceCsv(upload.file, faultOf)
      return answerOnce(useCases.once, request, reply, {
        status: 200,
        view: importReportView,
        work: (keep) =>
          useCases.importDevices(
            request.principal,
            { companyId: upload.company_id.toLowerCase(), ...table, dryRun: upload.dry_run === 'true' },
            keep,
          ),
      })
    },
  })
}
