-- The reads of one poll of a gateway. :count is given by the bench.
\set gateway random(0, :count - 1)

SELECT * FROM gateways WHERE tenant_id = 'default' AND name = 'kiosk-' || :gateway;

SELECT * FROM gateway_commands WHERE gateway_id = 'kiosk-' || :gateway AND status = 'waiting' ORDER BY number LIMIT 1;
