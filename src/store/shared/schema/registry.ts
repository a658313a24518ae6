/** The gateway that sent a row, and how new it is by that gateway's outbox; '' and 0 for our own rows. */
export const OF_GATEWAY = `gateway_id TEXT NOT NULL DEFAULT '', sync_version INTEGER NOT NULL DEFAULT 0`
/** The first columns of most tables. */
export const OF_TENANT = `id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id)`

/** Tenants, their companies, devices and certificates, and what belongs to a device. */
export const REGISTRY = [
  // Facts about the database itself.
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT`,

  `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,

  // The name of the operator, which the pages of a tenant show.
  `CREATE TABLE branding (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    name TEXT
  ) STRICT`,

  // The logos on receipts. A receipt names its logo by the hash, so none is ever changed or removed.
  `CREATE TABLE logos (
    -- SHA-256 of the file, in hexadecimal.
    hash TEXT PRIMARY KEY,
    file BLOB NOT NULL
  ) STRICT`,

  // An OIB stands once in a tenant: no tenant can keep it from another one.
  `CREATE TABLE companies (
    ${OF_TENANT},
    name TEXT NOT NULL,
    oib TEXT NOT NULL,
    vat_registered INTEGER NOT NULL CHECK (vat_registered IN (0, 1)),
    address TEXT NOT NULL,
    fiscal_config TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    created_at INTEGER NOT NULL,
    ${OF_GATEWAY},
    logo_hash TEXT,
    UNIQUE (tenant_id, oib)
  ) STRICT`,
  'CREATE INDEX companies_by_creation ON companies (created_at, id)',

  // Labels and ISU numbers are unique in what one gateway says; over several both rows are kept, and told as a conflict.
  `CREATE TABLE devices (
    ${OF_TENANT},
    company_id TEXT NOT NULL REFERENCES companies (id),
    premises_code TEXT NOT NULL,
    premises_address TEXT,
    label TEXT NOT NULL,
    isu_number TEXT,
    isu_status TEXT NOT NULL CHECK (isu_status IN ('pending', 'assigned', 'mismatch')),
    device_config TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    installed_at INTEGER NOT NULL,
    last_seen_at INTEGER,
    last_success_at INTEGER,
    created_at INTEGER NOT NULL,
    ${OF_GATEWAY},
    UNIQUE (company_id, label, gateway_id),
    UNIQUE (isu_number, gateway_id),
    CHECK ((isu_status = 'pending') = (isu_number IS NULL))
  ) STRICT`,
  'CREATE INDEX devices_by_creation ON devices (created_at, id)',
  'CREATE INDEX devices_at_premises ON devices (company_id, premises_code)',
  'CREATE INDEX devices_of_gateway ON devices (gateway_id, company_id)',

  `CREATE TABLE certificates (
    id TEXT PRIMARY KEY,
    company_id TEXT NOT NULL REFERENCES companies (id),
    label TEXT,
    subject_oib TEXT NOT NULL,
    subject_cn TEXT NOT NULL,
    issuer TEXT NOT NULL,
    serial TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    certificate BLOB NOT NULL,
    sealed_key BLOB NOT NULL,
    uploaded_at INTEGER NOT NULL,
    superseded_at INTEGER,
    revoked_at INTEGER,
    -- A JSON array of base64: a chain is checked again when its company changes its mode.
    intermediates TEXT NOT NULL DEFAULT '[]',
    ${OF_GATEWAY}
  ) STRICT`,
  // At most one certificate of a company is in use at any moment.
  `CREATE UNIQUE INDEX certificates_in_use ON certificates (company_id, gateway_id)
    WHERE superseded_at IS NULL AND revoked_at IS NULL`,
  'CREATE INDEX certificates_of_company ON certificates (company_id, uploaded_at)',

  `CREATE TABLE printers (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    line TEXT NOT NULL,
    profile TEXT NOT NULL,
    overrides TEXT NOT NULL,
    expire_after_s INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

  // By line: two devices may share a printer, and so its roll.
  `CREATE TABLE paper_rolls (
    line TEXT PRIMARY KEY,
    mm INTEGER NOT NULL,
    receipts INTEGER NOT NULL,
    is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
    paper TEXT CHECK (paper IN ('ok', 'near_end', 'out', 'taken')),
    near_end_mm INTEGER,
    roll_mm INTEGER,
    rest_mm INTEGER,
    receipt_mm INTEGER
  ) STRICT`,

  // Apart from the devices, which gateways send whole: what the office says of them stays here.
  `CREATE TABLE device_tags (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    device_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (tenant_id, device_id, tag)
  ) STRICT`,
  `CREATE TABLE device_notes (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    device_id TEXT NOT NULL,
    note TEXT NOT NULL,
    contact TEXT NOT NULL,
    PRIMARY KEY (tenant_id, device_id)
  ) STRICT`,

  // Which process does what only one may do at a time.
  `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
]
