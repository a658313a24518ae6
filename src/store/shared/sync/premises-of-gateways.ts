import { sql } from 'kysely'

/** Excludes premises whose receipts a gateway numbers: of these only the highest number is known here. */
export const notOfGateway = (table: string) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM premises_claims
    WHERE premises_claims.company_id = ${sql.ref(`${table}.company_id`)}
      AND premises_claims.premises_code = ${sql.ref(`${table}.premises_code`)})`
