import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'

/** For forms of readers who are not signed in. */
export const OPEN = { bodyLimit: DASHBOARD_BOUNDS.signInForm.most }

export const callerOf = ({ ip }: FastifyRequest, reply: FastifyReply): Caller => ({
  address: ip,
  signal: whileCallerWaits(reply.raw),
})
