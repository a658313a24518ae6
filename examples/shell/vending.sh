#!/bin/sh
# Vending firmware that sells through fiskd, with curl, jq and coreutils.
#
# Each line on standard input is a press of the button: `sell SALE TOTAL METHOD [ITEM]`. See ../README.md for the rest.
set -eu

: "${FISKD_URL:?}" "${FISKD_CA:?}" "${FISKD_KEY:?}" "${FISKD_DEVICE:?}" "${FISKD_STATE:?}"

timeout=15 # fiskd may take 9 s
longest_wait=30
key_lifetime=$((23 * 3600)) # fiskd remembers a key for 24 h

# What must survive a power cut, a folder with a file each: the same key and the same bytes are the same sale.
open=$FISKD_STATE/open-sale

# Returns when the sale is on the disk: the folder is there whole, or not at all.
# store NAME BODY
store() {
  rm -rf "$open.new"
  mkdir "$open.new"
  printf '%s' "$1" > "$open.new/name"
  printf '%s' "$2" > "$open.new/body"
  cat /proc/sys/kernel/random/uuid > "$open.new/key"
  date +%s > "$open.new/created"
  sync "$open.new"/* "$open.new"
  mv "$open.new" "$open"
  sync "$FISKD_STATE"
}

forget() {
  rm -rf "$open.old"
  mv "$open" "$open.old"
  sync "$FISKD_STATE"
  rm -rf "$open.old"
}

# Sends one request. An answer that was cut off is none. The key of fiskd goes through a pipe: an argument could be read by every user of this machine.
# request ARGUMENTS... ADDRESS: sets $status, 000 for no answer
request() {
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$FISKD_KEY" |
    curl --config - --silent --show-error --max-time "$timeout" --noproxy '*' \
      --cacert "$FISKD_CA" --capath /nonexistent --write-out '%{http_code}' "$@") || status=000
}

# Sends the stored sale once.
post() {
  : > "$open/headers"
  request --header "Idempotency-Key: $(cat "$open/key")" --header 'Content-Type: application/json' \
    --data-binary @"$open/body" --dump-header "$open/headers" --output "$open/answer" "$FISKD_URL/v1/invoices"
}

# Sends the stored sale until fiskd has decided; then the goods, or the money back.
settle() {
  name=$(cat "$open/name")
  backoff=1
  while true; do
    if [ $(($(date +%s) - $(cat "$open/created"))) -gt "$key_lifetime" ]; then
      # Sent again, it could become a second sale. A person looks whether fiskd has it: GET /v1/invoices.
      log "nobody knows what became of $(cat "$open/body")"
      refuse
      return
    fi
    post
    case $status in
      200)
        hand_out
        return
        ;;
      429 | 5?? | 000) ;; # the sale may be stored: the same bytes with the same key are safe
      *)
        # The request or the set-up is wrong: sent again as it is, it would be refused again.
        log "$(cat "$open/answer")"
        refuse
        return
        ;;
    esac
    wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9][0-9]*\).*/\1/p' "$open/headers")
    if [ -z "$wait" ]; then
      wait=$backoff
      backoff=$((backoff * 2 > longest_wait ? longest_wait : backoff * 2))
    fi
    log "answer $status: again in $wait s"
    sleep "$wait"
  done
}

# A 200 is a valid sale, whether there is a JIR yet or not.
hand_out() {
  log "sold as number $(jq -r '"\(.number), \(.status), JIR \(.jir)"' "$open/answer")"
  echo "screen $name $(jq -r .qr_payload "$open/answer")"
  id=$(jq -r .id "$open/answer")
  # Stored before the motor turns: a power cut in between never gives the goods out twice.
  # A machine with a sensor that sees the goods fall forgets the sale after it has seen them.
  forget
  echo "goods $name"
  [ -z "${FISKD_RECEIPT:-}" ] || show "$id"
}

refuse() {
  forget
  echo "refused $name"
}

# The receipt as a picture in a file, for a machine with a display; the goods did not wait for it.
show() {
  request --header "Idempotency-Key: receipt-$1" --header 'Accept: image/png' \
    --output "$FISKD_RECEIPT.new" "$FISKD_URL/v1/invoices/$1/receipt"
  if [ "$status" = 200 ]; then mv "$FISKD_RECEIPT.new" "$FISKD_RECEIPT"; else log 'no picture of the receipt'; fi
}

# The button is pressed and paid for. Money stays text.
# press NAME TOTAL METHOD ITEM
press() {
  store "$1" "$(jq -nc --arg device "$FISKD_DEVICE" --arg now "$(date -u +%Y-%m-%dT%H:%M:%SZ)" \
    --arg total "$2" --arg method "$3" --arg item "$4" '
      {device_id: $device, occurred_at: $now, total: $total, payment_method: $method}
      + if $item == "" then {} else {items: [{name: $item, quantity: "1", unit_price: $total, amount: $total}]} end')"
  settle
}

log() { echo "$*" >&2; }

[ ! -d "$open" ] || settle
while read -r verb sale total method item; do
  if [ "$verb" = sell ] && [ -n "$method" ]; then press "$sale" "$total" "$method" "$item"; else log "not understood: $verb"; fi
done
