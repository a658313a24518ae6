import { createHash } from 'node:crypto'

/** The UUID namespace of company ids. It must never change: all gateways of a company must compute the same id. */
const NAMESPACE = Buffer.from('6f1d5a0e6c3b4f0c9d5e8a7b2c4d1f30', 'hex')

/** The UUIDv5 of its OIB, so that two gateways of one company compute the same id. */
export function companyIdOf(oib: string): string {
  return uuidOf(oib)
}

/** Where another tenant of the server has the id derived from the OIB (`companyId`). */
export function companyIdWithin(tenantId: string, companyId: string): string {
  return uuidOf(`${companyId} ${tenantId}`)
}

function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
