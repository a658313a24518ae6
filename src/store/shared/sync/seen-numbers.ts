import type { SeenNumber } from '../../../fiscal/ports/seen-numbers.ts'
import type { Db } from '../../sqlite/connection.ts'

/**
 * The highest numbers of a gateway's premises, also numbers that others issued; without sequences that have no number
 * yet.
 */
export function seenNumbers(db: Db, gatewayId: string): Promise<SeenNumber[]> {
  return db
    .selectFrom('sequences')
    .innerJoin('premisesClaims', (join) =>
      join
        .onRef('premisesClaims.companyId', '=', 'sequences.companyId')
        .onRef('premisesClaims.premisesCode', '=', 'sequences.premisesCode'),
    )
    .innerJoin('gateways', 'gateways.id', 'premisesClaims.gatewayId')
    .innerJoin('companies', (join) =>
      join.onRef('companies.id', '=', 'premisesClaims.companyId').onRef('companies.tenantId', '=', 'gateways.tenantId'),
    )
    .leftJoin('numberingLevels', (join) =>
      join
        .onRef('numberingLevels.companyId', '=', 'sequences.companyId')
        .onRef('numberingLevels.mode', '=', 'sequences.mode')
        .onRef('numberingLevels.premisesCode', '=', 'sequences.premisesCode')
        .onRef('numberingLevels.year', '=', 'sequences.year'),
    )
    .where('premisesClaims.gatewayId', '=', gatewayId)
    .where('sequences.highest', '<>', '0')
    .select([
      'sequences.companyId',
      'sequences.mode',
      'sequences.premisesCode',
      'sequences.year',
      'sequences.register',
      'sequences.highest',
      'numberingLevels.level',
    ])
    .orderBy('sequences.companyId')
    .orderBy('sequences.premisesCode')
    .orderBy('sequences.year')
    .orderBy('sequences.mode')
    .orderBy('sequences.register')
    .execute()
}
