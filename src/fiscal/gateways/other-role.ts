import { conflict } from '../../domain/errors.ts'
import type { AdminCommands, AdminGateways } from './gateway-admin.ts'
import type { SyncAdmin } from './sync-admin.ts'

function refusing(why: string): () => Promise<never> {
  return async () => {
    throw conflict('role', why)
  }
}

/** For a central server, which is not enrolled at another one. */
export function noServerAbove(): SyncAdmin {
  const refuse = refusing('this fiskd is a central server itself: gateways are enrolled at it, see fisk gateway add')
  const none = async () => []
  return {
    replacement: { requireFresh: refuse, takeOver: refuse },
    status: async () => null,
    refusals: none,
    doubtfulNumbers: none,
    enroll: refuse,
    now: refuse,
    leave: refuse,
    confirmNumbers: refuse,
  }
}

export function noGateways(): AdminGateways {
  const refuse = refusing('this fiskd is a gateway and has none itself: a central server has FISKD_ROLE=server')
  return {
    addGateway: refuse,
    listGateways: refuse,
    showGateway: refuse,
    revokeGateway: refuse,
    setGatewayCompanies: refuse,
    acceptInvoice: refuse,
  }
}

export function noCommands(): AdminCommands {
  const refuse = refusing('this fiskd is a gateway and commands none: a central server has FISKD_ROLE=server')
  return {
    sendCommand: refuse,
    sendCertificate: refuse,
    listCommands: refuse,
    findCommand: refuse,
    findAttachment: refuse,
    ownerOf: async () => null,
    requeueFailed: async () => 0,
    waitingAt: async () => [],
    commandsWith: async () => [],
    latestAbout: async () => [],
  }
}
