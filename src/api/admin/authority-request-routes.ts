import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import {
  CorrectionBody,
  HoursBody,
  HoursDatesBody,
  HoursQuery,
  JobSchema,
  type JobView,
} from '../../contract/admin/authority-requests.ts'
import { Closed, IdParams } from '../../contract/common.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { textOfReason } from '../../domain/texts/reason-texts.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { correctionIn } from '../../fiscal/requests/correct-invoice.ts'
import type { HoursPlace } from '../../fiscal/requests/hours.ts'
import type { AdminUseCases, OfficeUseCases } from '../../fiscal/use-cases.ts'
import { hoursView, requestView } from '../views/authority-request.ts'
import { view, wholeList } from '../views/view.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

export type AuthorityRequestOffice = Pick<OfficeUseCases, 'jobs' | 'hoursFile'>

/** How many refused rows of a job are named. */
const MOST_NAMED = 20

export const authorityRequestRoutes: FastifyPluginAsyncTypebox<{
  useCases: Pick<AdminUseCases, 'hours' | 'corrections'>
  office: AuthorityRequestOffice
}> = async (app, { useCases: { hours, corrections }, office }) => {
  app.get('/hours', { schema: { querystring: HoursQuery } }, async ({ principal, query }) =>
    hoursView(await hours.show(principal, placeOf(query))),
  )

  app.get('/hours/history', { schema: { querystring: HoursQuery } }, async ({ principal, query }) =>
    wholeList((await hours.history(principal, placeOf(query))).map(requestView)),
  )

  app.post('/hours', {
    schema: { body: HoursBody },
    handler: async ({ principal, body: { regular, exceptions, ...place } }) =>
      requestView(await hours.change(principal, placeOf(place), { set: { regular, exceptions } })),
  })

  app.post('/hours/remove', {
    schema: { body: HoursDatesBody },
    handler: async ({ principal, body: { regular, exceptions, ...place } }) =>
      requestView(await hours.change(principal, placeOf(place), { remove: { regular, exceptions } })),
  })

  app.post('/hours/file', {
    bodyLimit: ADMIN_BOUNDS.trust.most,
    schema: { body: Closed({ file: Type.String() }) },
    handler: async ({ principal, body }) => {
      const { rows, wrong } = await office.hoursFile(principal, Buffer.from(body.file, 'utf8'))
      const [first] = wrong
      // One job, as the file says, or none.
      if (first) {
        const { reason, about, message } = first.refusal
        const why = reason === null ? message : textOfReason(reason, about, 'en')
        throw invalidRequest('file', `line ${first.line}, ${first.label}: ${why}`)
      }
      const wanted = rows.map(({ device, input }) => ({ subjectId: device.device.id, input }))
      const { id } = await office.jobs.create(principal, { kind: 'hours', parameters: {}, rows: wanted })
      return jobView(office, principal, id)
    },
  })

  app.get('/jobs/:id', { schema: { params: IdParams } }, ({ principal, params }) =>
    jobView(office, principal, params.id),
  )

  app.post('/invoices/:id/correct', {
    schema: { params: IdParams, body: CorrectionBody },
    handler: async ({ principal, params, body }) =>
      requestView(await corrections.correct(principal, params.id, correctionIn(body))),
  })
}

/** @throws FiskError where neither a device nor a premises is named */
function placeOf({ device_id, company_id, premises_code }: Static<typeof HoursQuery>): HoursPlace {
  if (device_id !== undefined) return { deviceId: device_id.toLowerCase() }
  if (company_id === undefined || premises_code === undefined)
    throw invalidRequest('device_id', 'name a device, or a company and the code of a premises')
  return { companyId: company_id, premisesCode: premises_code }
}

async function jobView({ jobs }: AuthorityRequestOffice, principal: Principal, id: string): Promise<JobView> {
  const { job, counts } = await jobs.find(principal, id)
  const refused = await jobs.rows(principal, id, ['refused'], 0, MOST_NAMED)
  const refusals = refused.map(({ label, refusal }) => ({ label, message: refusal?.message ?? '' }))
  return view(JobSchema, { ...job, ...counts, refusals })
}
