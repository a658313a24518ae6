import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../sqlite/connection.ts'
import { codeOf } from './server-faults.ts'

/**
 * Asks before anything is refused: an error of PostgreSQL says only in words, of any language, what is refused.
 * @param change the first change of the schema that is to be made
 * @param tables whose rows are read and written
 * @throws Error with the statements that grant what the role lacks
 */
export async function requirePrivileges(db: Db, change = '', tables: readonly string[] = []): Promise<void> {
  const { rows } = await lacking(change !== '', tables)
    .execute(db)
    .catch(refused)
  const [first] = rows
  if (!first) return
  const why = change && ` for the schema change ${change}`
  const or = change && ', or start fiskd once with the role that owns its tables'
  throw new Error(
    `the role ${first.role} of FISKD_DATABASE_URL lacks what fiskd needs${why} in the schema ${first.schema}; let ` +
      `the owner of the database run: ${rows.map(({ statement }) => statement).join('; ')}${or}`,
  )
}

/** Everybody may ask who may connect. */
function refused(cause: unknown): never {
  if (codeOf(cause) !== '42501') throw cause
  throw new Error(`${(cause as Error).message}: let its owner run GRANT CONNECT ON DATABASE for the role`, { cause })
}

const lacking = (
  makes: boolean,
  tables: readonly string[],
): RawBuilder<Record<'role' | 'schema' | 'statement', string>> => sql`
  WITH path AS (SELECT string_to_array(regexp_replace(replace(current_setting('search_path'), '$user', current_user),
    '[" ]', '', 'g'), ',') AS names)
  SELECT current_user AS role, coalesce(current_schema(), 'of search_path') AS schema,
    format('GRANT %s TO %I', what, current_user) AS statement
  FROM (
    SELECT format('TEMPORARY ON DATABASE %I', current_database()) AS what
    WHERE NOT has_database_privilege(current_database(), 'TEMPORARY')
    UNION ALL
    SELECT format('USAGE ON SCHEMA %I', nspname) FROM path JOIN pg_namespace n ON nspname = ANY (names)
    WHERE NOT has_schema_privilege(n.oid, 'USAGE')
      AND array_position(names, nspname::text) < coalesce(array_position(names, current_schema()::text), 100)
    UNION ALL
    SELECT format('CREATE ON SCHEMA %I', current_schema())
    WHERE ${makes} AND NOT has_schema_privilege(current_schema(), 'CREATE')
    UNION ALL
    SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
    WHERE ${makes} AND oid = to_regclass('kysely_migration') AND NOT pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT format('%s ON TABLE %s', privileges, string_agg(name, ', ' ORDER BY name)) FROM (
      SELECT format('%I.%I', current_schema(), c.relname) AS name, string_agg(privilege, ', ' ORDER BY privilege) AS privileges
      FROM pg_class c CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
      WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT has_table_privilege(c.oid, privilege)
        AND (c.relname = ANY (${tables}) OR c.relname = 'kysely_migration' AND privilege = 'SELECT')
      GROUP BY 1) AS refused
    GROUP BY privileges
    UNION ALL
    SELECT format('EXECUTE ON FUNCTION %I.%s', current_schema(), p.oid::regprocedure) FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND starts_with(p.proname, 'fiskd_')
      AND p.prorettype <> 'trigger'::regtype AND NOT has_function_privilege(p.oid, 'EXECUTE')
  ) AS needs`
