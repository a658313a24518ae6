-- The statements of one sale, in the order in which fiskd makes them. :count, :now, :document and :xml are given by the bench.
\set place random(1, :count)
\set sale random(1, 9000000000000000000)

SELECT * FROM api_keys WHERE hash = 'hash';

SELECT * FROM devices JOIN companies ON companies.id = devices.company_id
  LEFT JOIN certificates ON certificates.company_id = companies.id AND certificates.gateway_id = ''
    AND certificates.superseded_at IS NULL AND certificates.revoked_at IS NULL
  WHERE devices.id = 'device-' || :place;

SELECT * FROM idempotency_keys WHERE scope = 'key' AND key = 'sale-' || :sale;

BEGIN;

-- Both rows are locked: of one that is not, the join would give what it was before the wait.
SELECT journals.position, sequences.highest, journals.seal AS before FROM journals
  JOIN sequences USING (company_id, mode, premises_code)
  WHERE company_id = 'company' AND mode = 'test' AND premises_code = 'POSL' || :place AND year = 2026 AND register = ''
  FOR UPDATE
\gset

WITH invoice AS (
  INSERT INTO invoices (id, tenant_id, company_id, device_id, certificate_id, mode, status, zki, premises_code, year,
      sequence_register, number, occurred_at_text, occurred_at, document, receipt, late_delivery, attempts, deadline_at,
      created_at, journal_position, seal)
    SELECT 'inv_' || lpad(to_hex(:sale::bigint), 16, '0'), devices.tenant_id, 'company', devices.id, 'certificate', 'test',
      'pending', md5(:sale::text), devices.premises_code, 2026, '', (:highest::bigint + 1)::text,
      '2026-11-24T10:00:00.000Z', :now::bigint, :document, repeat('"items":[],', 20), 0, 1,
      :now::bigint + 2592000000, :now::bigint, :position::bigint + 1, md5(:before::text || :sale::text)
    FROM devices WHERE id = 'device-' || :place
), key AS (
  INSERT INTO idempotency_keys (scope, key, request_hash, created_at, invoice_id)
    VALUES ('key', 'sale-' || :sale, md5(:sale::text), :now::bigint, 'inv_' || lpad(to_hex(:sale::bigint), 16, '0'))
), claim AS (
  INSERT INTO claims (name, key, process) VALUES ('invoice', 'inv_' || lpad(to_hex(:sale::bigint), 16, '0'), 1)
), number AS (
  UPDATE sequences SET highest = (:highest::bigint + 1)::text
    WHERE company_id = 'company' AND mode = 'test' AND premises_code = 'POSL' || :place AND year = 2026 AND register = ''
), journal AS (
  UPDATE journals SET position = :position::bigint + 1, seal = md5(:before::text || :sale::text)
    WHERE company_id = 'company' AND mode = 'test' AND premises_code = 'POSL' || :place
)
UPDATE devices SET last_seen_at = :now::bigint WHERE id = 'device-' || :place;

COMMIT;

WITH message AS (
  INSERT INTO messages (id, invoice_id, message_uuid, attempt_no, http_status, duration_ms, created_at, request_xml,
      response_xml)
    VALUES ('message-' || :sale, 'inv_' || lpad(to_hex(:sale::bigint), 16, '0'), 'uuid-' || :sale, 1, 200, 20, :now::bigint,
      decode(:xml, 'base64'), decode(:xml, 'base64'))
), invoice AS (
  UPDATE invoices SET status = 'confirmed', jir = md5(:sale::text), confirmed_at = :now::bigint
    WHERE id = 'inv_' || lpad(to_hex(:sale::bigint), 16, '0')
), key AS (
  UPDATE idempotency_keys SET response_status = 200, response_body = repeat('"id":""', 90)
    WHERE scope = 'key' AND key = 'sale-' || :sale
), device AS (
  UPDATE devices SET last_success_at = :now::bigint WHERE id = 'device-' || :place
)
DELETE FROM claims WHERE name = 'invoice' AND key = 'inv_' || lpad(to_hex(:sale::bigint), 16, '0');
