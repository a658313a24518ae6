-- What the statements of sale.sql rest on: a company with a certificate and a key, and a machine at each of 500 premises.
INSERT INTO companies (id, tenant_id, name, oib, vat_registered, address, fiscal_config, mode, status, created_at)
  SELECT 'company', id, 'Samoposluga d.o.o.', '02994650199', 1, '{}', '{}', 'test', 'active', 1 FROM tenants LIMIT 1;
INSERT INTO certificates (id, company_id, subject_oib, subject_cn, issuer, serial, not_before, not_after, certificate,
    sealed_key, uploaded_at)
  VALUES ('certificate', 'company', '02994650199', 'FISKAL 1', 'CN=Fina', '1', 1, 9999999999999,
    decode(repeat('5a', 1500), 'hex'), decode(repeat('5a', 1200), 'hex'), 1);
INSERT INTO api_keys (id, tenant_id, mode, hash, scopes, created_at)
  SELECT 'key', id, 'test', 'hash', '[]', 1 FROM tenants LIMIT 1;
INSERT INTO devices (id, tenant_id, company_id, premises_code, label, isu_number, isu_status, device_config, status,
    installed_at, created_at)
  SELECT 'device-' || n, id, 'company', 'POSL' || n, 'Kavomat ' || n, n::text, 'assigned', '{}', 'active', 1, 1
  FROM (SELECT id FROM tenants LIMIT 1) AS tenant, generate_series(1, 500) AS n;
INSERT INTO numbering_levels (company_id, mode, premises_code, year, level)
  SELECT 'company', 'test', 'POSL' || n, 2026, 'P' FROM generate_series(1, 500) AS n;
INSERT INTO sequences (company_id, mode, premises_code, year, register, highest)
  SELECT 'company', 'test', 'POSL' || n, 2026, '', '0' FROM generate_series(1, 500) AS n;
INSERT INTO journals (company_id, mode, premises_code, position, seal)
  SELECT 'company', 'test', 'POSL' || n, 0, '' FROM generate_series(1, 500) AS n;
INSERT INTO processes (id, instance, host, pid, version, started_at) OVERRIDING SYSTEM VALUE
  VALUES (1, 'pgbench', 'localhost', 1, '1.0.0', 1);
