-- The heartbeats of several gateways in one statement. :count, :together, :now and :heartbeat are given by the bench.
\set first random(0, :count - :together)

WITH said AS MATERIALIZED (
  SELECT gateways.id, set_config('synchronous_commit', 'off', true) AS disk
  FROM generate_series(:first::bigint, :first::bigint + :together::bigint - 1) AS place
    JOIN gateways ON gateways.tenant_id = 'default' AND gateways.name = 'kiosk-' || place
  FOR NO KEY UPDATE OF gateways SKIP LOCKED)
UPDATE gateways SET last_seen_at = :now::bigint, reported_at = :now::bigint, heartbeat = :heartbeat
FROM said WHERE gateways.id = said.id;
