import { createHash } from 'node:crypto'

/** The name space of fiskd's company ids; fixed for ever, or two gateways of one company would disagree. */
const NAMESPACE = Buffer.from('6f1d5a0e6c3b4f0c9d5e8a7b2c4d1f30', 'hex')

/** The id of a company: the UUIDv5 of its OIB, so that two gateways of one company agree without asking. */
export function companyIdOf(oib: string): string {
  return uuidOf(oib)
}

/**
 * The id of the same company in a tenant of a server where another tenant has the id that follows from the OIB.
 * @param companyId the latter
 */
export function companyIdWithin(tenantId: string, companyId: string): string {
  return uuidOf(`${companyId} ${tenantId}`)
}

function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
